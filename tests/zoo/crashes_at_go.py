"""It dies by a signal when it should move."""

import os
import signal

from polite import serve

serve(lambda: os.kill(os.getpid(), signal.SIGKILL))
