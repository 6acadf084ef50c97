"""It plays well, but what it started stays behind, deaf to signals."""

import signal
import subprocess

from polite import serve

signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen(["sleep", "600"])
serve()
