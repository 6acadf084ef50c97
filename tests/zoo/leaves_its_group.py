"""It plays well, but in a session of its own, and stays there when its input ends."""

import os
import signal
import time

from polite import serve

os.setsid()
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
serve()
time.sleep(600)
