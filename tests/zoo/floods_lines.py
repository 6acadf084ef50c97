"""It sends lines that never end."""

from polite import serve


def flood() -> None:
    while True:
        print("info value 0 line", "P2+1 " * 20)


serve(flood)
