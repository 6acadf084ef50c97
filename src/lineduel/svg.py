"""Self-contained SVG pictures."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

SVG_HEAD = '<svg data-generator="lineduel" '
"""The first characters of every picture that lineduel draws."""
SVG_FONT = "text{font-family:system-ui,sans-serif;font-size:13px;fill:#222}"
"""The style of text in every picture."""


def svg_picture(width: float, height: float, title: str, style: str, parts: Iterable[str]) -> str:
    """A picture made of these parts; `style` is the CSS for their classes."""
    return "\n".join(
        (
            f'{SVG_HEAD}xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{SVG_FONT}\n{style}</style>",
            *parts,
            "</svg>",
        )
    )


def svg_page(
    width: float, height: float, title: str, style: str, parts: Iterable[str], left: float
) -> str:
    """A picture for a separate file: on white, with a visible title that starts at x = `left`."""
    heading = f'<text class="title" x="{left}" y="28">{escape(title)}</text>'
    ground = f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>'
    style = f".title{{font-size:17px;font-weight:600}}\n{style}"
    return svg_picture(width, height, title, style, (ground, heading, *parts)) + "\n"


def svg_text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """A line of text at a given point."""
    shown = f' class="{kind}"' if kind else ""
    return f'<text{shown} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
