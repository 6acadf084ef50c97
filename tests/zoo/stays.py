"""It plays well, but stays when its input ends, deaf to signals."""

import signal
import time

from polite import serve

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
serve()
time.sleep(600)
