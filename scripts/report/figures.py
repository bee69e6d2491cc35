"""The plots of scripts/plots as pictures inside the page."""
import base64
import collections
import io

from .errors import ReportError

Picture = collections.namedtuple("Picture", "kind inches address")
MOST = 150_000  # bytes of SVG; above, a bitmap is smaller


def module():
    try:
        import matplotlib
    except ImportError as error:
        raise ReportError(f"{error}. On Debian: apt-get install python3-matplotlib") from error
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "simrun"
    import plots
    return plots


def pictures(results):
    """One of each kind that has something to say, all runs in it."""
    plots = module()
    for kind in plots.kinds_of(results):
        figure = plots.draw(results, kind)
        yield Picture(kind, float(figure.get_size_inches()[0]), address(figure))


def address(figure):
    """The picture itself, for the src of an <img>."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    kind = "svg+xml"
    if len(file.getvalue()) > MOST:
        file, kind = io.BytesIO(), "png"
        figure.savefig(file, format="png", dpi=160, bbox_inches="tight")
    return f"data:image/{kind};base64,{base64.b64encode(file.getvalue()).decode()}"
