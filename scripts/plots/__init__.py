"""Draws result files with matplotlib: each kind a function of results that returns a Figure. No window, no global state.

    import plots, simrun_results as sr
    figure = plots.draw(sr.open("out.h5"), "iterations")
    figure.savefig("iterations.svg")

A list of results is drawn in one picture. scripts/plot.py is the same for the command line.
"""
from .convergence import residuals
from .forces import force
from .layers import layers
from .lines import checked
from .stages import timings
from .steps import constraints, energy, iterations, momentum, volumes

KINDS = {"iterations": iterations, "residuals": residuals, "layers": layers, "constraints": constraints, "timings": timings, "energy": energy,
         "momentum": momentum, "volumes": volumes}
OF_A_SOLVER = ("iterations", "residuals")  # acm has none
OF_LAYERS = ("layers",)  # only acm has them
OF_OBJECTS = {"force": force}  # drawn where they are asked for: somebody must say which objects


def kinds_of(results):
    """Those that have something to say of one of the results at least."""
    layered = [result.has_events for result in results]
    return [kind for kind in KINDS if not (kind in OF_A_SOLVER and all(layered)) and not (kind in OF_LAYERS and not any(layered))]


def draw(results, kind, **options):
    """over="step" or "time": the horizontal axis (each kind has its own default); of residuals also step=120: which one of the trace;
    of force objects=("left", "floor"), or one name: against all others."""
    known = {**KINDS, **OF_OBJECTS}
    if kind not in known:
        raise ValueError(f"there is no kind {kind}; expected one of {', '.join(known)}")
    return known[kind](checked(results), **options)
