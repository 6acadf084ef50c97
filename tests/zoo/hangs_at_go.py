"""It thinks for ever."""

import time

from polite import serve

serve(lambda: time.sleep(600))
