"""It tells why it dies, on its standard error."""

import sys

from polite import serve


def crash() -> None:
    print("one\ntwo\nthree\nfour\nfive \x1b[31m", file=sys.stderr)
    sys.exit(3)


serve(crash)
