"""It thinks for ever and does not listen to signals."""

import signal
import time

from polite import serve

signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve(lambda: time.sleep(600))
