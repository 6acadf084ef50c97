"""The first page on a phone: milliseconds from the tap on a link until a game can be begun.

Chromium slows its processor four times and its network as its developer tools do; the page comes
into an empty cache each time. What Chromium itself needs shows in a page that is one line of text.
"""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which

from playwright.sync_api import Browser, sync_playwright

from bench.timing import verdict

ROUNDS = 9
GOAL = 1000
PHONE = {"width": 390, "height": 844}
SLOWER = 4
NETWORKS = {
    "no limit": (0, -1),
    "fast 4G": (60, 9_000_000 / 8),
    "slow 4G": (150, 1_600_000 / 8),
}
"""Milliseconds for each answer, and bytes a second."""
WATCH = """
new MutationObserver((changes, watcher) => {
  if (!document.querySelector("WANTED")) return;
  watcher.disconnect();
  window.readyAfter = performance.now();
}).observe(document, { childList: true, subtree: true });
"""


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The address of a server of its own."""
    command = [sys.executable, "-m", "lineduel", "serve", "--port", "0"]
    command += ["--database", f"sqlite:///{folder}/live.sqlite"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
    finally:
        server.terminate()
        server.wait()


def milliseconds(browser: Browser, address: str, wanted: str, latency: float, rate: float) -> float:
    """From the tap until what is wanted is there."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=3, is_mobile=True)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    limits = {"latency": latency, "downloadThroughput": rate, "uploadThroughput": rate}
    devtools.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    page.add_init_script(WATCH.replace("WANTED", wanted))
    page.goto(address)
    page.locator(wanted).first.wait_for()
    taken = float(page.evaluate("window.readyAfter"))
    context.close()
    return taken


def main() -> None:
    """Measure, and print what came out."""
    print("First page, on a phone with an empty cache")
    chromium = which("chromium") or which("google-chrome")
    if chromium is None:
        print("  not measured: Chromium is needed")
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        served(folder) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, limits in NETWORKS.items():
            line, game = (
                statistics.median(
                    milliseconds(browser, f"{address}{path}", wanted, *limits)
                    for _ in range(ROUNDS)
                )
                for path, wanted in (("health", "pre"), ("", ".card-start"))
            )
            told = verdict(game, GOAL, at_most=True)
            print(f"  {name:<10} a line of text {line:5.0f} ms, a game {game:5.0f} ms  ({told})")
        browser.close()


if __name__ == "__main__":
    main()
