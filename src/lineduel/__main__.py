"""`python -m lineduel`."""

import sys

from lineduel.cli.main import main

sys.exit(main())
