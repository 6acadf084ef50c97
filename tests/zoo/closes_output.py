"""It closes its output and stays."""

import os
import time

from polite import serve


def close() -> None:
    os.close(1)
    time.sleep(600)


serve(close)
