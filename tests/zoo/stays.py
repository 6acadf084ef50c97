"""It plays well, but stays when its input ends, deaf to signals; a file says that it was to go."""

import signal
import sys
import time
from pathlib import Path

from polite import serve

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
serve()
for file in sys.argv[1:]:
    Path(file).touch()
time.sleep(600)
