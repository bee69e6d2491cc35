"""The plots of scripts/plots as pictures inside the page."""
import base64
import io

from .errors import ReportError

SIZE = (5.6, 3.6)      # inches: letters stay readable on a phone
MOST = 150_000         # bytes of SVG; above, a bitmap is smaller


def module():
    try:
        import matplotlib
    except ImportError as error:
        raise ReportError(f"{error}. On Debian: apt-get install python3-matplotlib") from error
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "simrun"
    import plots
    return plots


def drawn(results):
    """Name and figure of each kind, all runs in one."""
    plots = module()
    for kind in plots.KINDS:
        yield kind, plots.draw(results, kind)


def picture(figure):
    """As the address of an <img>."""

    file = io.BytesIO()
    figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    kind = "svg+xml"
    if len(file.getvalue()) > MOST:
        file, kind = io.BytesIO(), "png"
        figure.savefig(file, format="png", dpi=160, bbox_inches="tight")
    return f"data:image/{kind};base64,{base64.b64encode(file.getvalue()).decode()}"
