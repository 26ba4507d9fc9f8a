"""`python -m ludex`."""

import sys

from ludex.cli import main

if __name__ == "__main__":
    sys.exit(main())
