"""Self-contained SVG pictures."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

SVG_HEAD = '<svg data-generator="lineduel" '
"""The first characters of every picture that lineduel draws."""
SVG_FONT = "text{font-family:system-ui,sans-serif;font-size:13px;fill:#222}"
"""The style of text in every picture."""


class Svg(str):
    """A picture or a part of one; templates of pages insert it without escaping it."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def svg_picture(width: float, height: float, title: str, style: str, parts: Iterable[str]) -> Svg:
    """A picture made of these parts; `style` is the CSS for their classes."""
    return Svg(
        "\n".join(
            (
                f'{SVG_HEAD}xmlns="http://www.w3.org/2000/svg" '
                f'viewBox="0 0 {width:.0f} {height:.0f}" '
                f'width="{width:.0f}" height="{height:.0f}" role="img">',
                f"<title>{escape(title)}</title>",
                f"<style>{SVG_FONT}\n{style}</style>",
                *parts,
                "</svg>\n",
            )
        )
    )


def svg_page(
    width: float, height: float, title: str, style: str, parts: Iterable[str], left: float
) -> Svg:
    """A picture for a separate file: on white, with a visible title that starts at x = `left`."""
    heading = f'<text class="title" x="{left}" y="28">{escape(title)}</text>'
    ground = f'<rect class="ground" width="{width:.0f}" height="{height:.0f}" fill="#fff"/>'
    style = f".title{{font-size:17px;font-weight:600}}\n{style}"
    return svg_picture(width, height, title, style, (ground, heading, *parts))


def svg_text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """A line of text at a given point."""
    shown = f' class="{kind}"' if kind else ""
    return f'<text{shown} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def svg_shape(
    tag: str, kind: str = "", hint: str = "", inside: Iterable[str] = (), **attributes: float | str
) -> str:
    """A shape such as a `rect`, or a group `g`; `hint` is shown under the pointer."""
    title = f"<title>{escape(hint)}</title>" if hint else ""
    content = "".join((title, *inside))
    named = {"class": kind, **attributes} if kind else attributes
    written = "".join(
        f" {name.replace('_', '-')}={quoteattr(_attribute(value))}" for name, value in named.items()
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def _attribute(value: float | str) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)
