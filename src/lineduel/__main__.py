"""Where the program begins, as `lineduel` and as `python -m lineduel`."""

import os
import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line; a signal that comes while it is being loaded ends it quietly."""
    try:
        import signal

        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # not every platform has all of them
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda number, _: os._exit(128 + number))
    except KeyboardInterrupt:
        return _INTERRUPTED
    from lineduel.cli.main import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
