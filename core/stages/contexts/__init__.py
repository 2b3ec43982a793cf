"""The context c_b of each kind of source, one file a kind (paper, appendix A)."""
