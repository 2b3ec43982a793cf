"""`python -m core`."""

import os
import sys

from core.cli import main

code = main()
sys.stdout.flush()
sys.stderr.flush()
# A query past its deadline may still hold a thread of an engine's library; the answer is out.
os._exit(code)
