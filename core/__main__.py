"""`python -m core`."""

import os
import sys

from core.cli import main

try:
    code = main()
    sys.stdout.flush()
except BrokenPipeError:
    # Whoever read the answer has seen enough: head, or a pager that was left.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    code = 0
sys.stderr.flush()
# A query past its deadline may still hold a thread of an engine's library; the answer is out.
os._exit(code)
