"""OmniRetrieval Explorer's engine: sources, stages and the pipeline that joins them."""
