"""It starts something and is gone."""

import subprocess
import sys

from polite import serve

subprocess.Popen(["sleep", "600"])
serve(lambda: sys.exit(0))
