"""Where the program begins, as `lineduel` and as `python -m lineduel`."""

import atexit
import os
import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line; a signal that comes while it is being loaded ends it quietly."""
    statuses: list[int] = []
    atexit.register(_end_if_interrupted, statuses)  # what is registered first is called last
    try:
        import signal

        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # not every platform has all of them
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda number, _: os._exit(128 + number))
    except KeyboardInterrupt:
        return _INTERRUPTED
    from lineduel.cli.main import main

    statuses.append(main())
    return statuses[0]


def _end_if_interrupted(statuses: list[int]) -> None:
    """Make sure that an interrupted program ends with its own status.

    If the interrupt came while an `exec` was running, as it does in packages that generate code,
    `python -m` would end by the signal instead, even though the interrupt was handled.
    """
    if statuses == [_INTERRUPTED]:
        from contextlib import suppress

        with suppress(OSError):  # nobody reads it any more
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(_INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
