"""What the benchmarks are, and the figures that were published for them (Verschoor & Jalba 2019).

Published on one core of an AMD FX-8350 at 4 GHz: means (medians) a time step over the whole simulation, each method on its own
trajectory. Rows that the paper does not have are not here.
"""
import collections
import dataclasses

ALL = "cr-full,cr-diag,ica,sp-active-set,sp-cr"


@dataclasses.dataclass
class Benchmark:
    what: str  # one sentence
    scene: str  # in scenes/
    meshes: tuple = ()  # for scripts/meshes.sh
    solvers: str = ALL
    from_time: float = 1.0  # s: where the window begins
    window: int = 100  # steps
    step: float = 0.001  # s, of the scene
    step_seconds: float = 0.1  # of cr-full, before the window, on the machine of docs/benchmarks.md: for the estimate only
    quick_from: float = 0.1
    quick_window: int = 5
    quick: tuple = ()  # settings that make it small
    quick_what: str = ""  # the sentence, where that makes another scene of it
    published: str = ""  # name in Table 1

    def described(self, quick):
        return self.quick_what if quick and self.quick_what else self.what


FEW_RINGS = ("objects.0.scatter.count=12", "objects.0.scatter.box=[[-0.25,-0.25,0.02],[0.25,0.25,1.2]]")
FEW_BUNNIES = ("objects.0.scatter.count=3", "objects.0.scatter.box=[[-0.22,-0.22,0.005],[0.22,0.22,1.1]]")
FEW_IN_THE_WEDGE = ("objects.ring.scatter.count=10", "objects.ring.scatter.box=[[-0.3,-0.3,0.5],[0.3,0.3,1.1]]",
                    "objects.ball.scatter.count=5", "objects.ball.scatter.box=[[-0.3,-0.3,1.2],[0.3,0.3,1.5]]")

BENCHMARKS = {
    "rings": Benchmark("120 rings fall from a column into a heap", "rings.json", from_time=1.2, step_seconds=0.15,
                       quick_from=0.45, quick_window=20, quick=FEW_RINGS, published="Rings",
                       quick_what="12 rings fall into a heap (the benchmark has 120)"),
    "rings-stiff": Benchmark("120 rings ten times as stiff fall from a column into a heap", "rings-stiff.json", solvers="cr-full,ica,sp-active-set",
                             from_time=1.2, step_seconds=0.2, quick_from=0.45, quick_window=20, quick=FEW_RINGS, published="Rings*",
                             quick_what="12 rings ten times as stiff fall into a heap (the benchmark has 120)"),
    "pyramid": Benchmark("140 cages in a pyramid of seven layers", "pyramid.json", ("cage",), from_time=0.3, window=40,
                         step=0.0005, step_seconds=0.5, quick_from=0.09, quick_window=3, quick=("time.step=0.002",), published="Pyramid",
                         quick_what="140 cages in a pyramid of seven layers, with time steps of 0.002 s (the benchmark: 0.0005 s)"),
    "bunnies": Benchmark("120 Stanford bunnies fall into a heap", "bunnies.json", ("bunny",), "cr-full,cr-diag,ica,sp-active-set",
                         from_time=0.6, window=20, step_seconds=3.0, quick_from=0.25, quick=FEW_BUNNIES,
                         quick_what="3 Stanford bunnies fall (the benchmark has 120)"),
    "armadillo": Benchmark("an Armadillo of 200,000 unknowns pulled through rotating cylinders", "armadillo.json", ("armadillo",),
                           "cr-full,ica,sp-active-set", from_time=7.5, window=10, step_seconds=3.0, quick_from=0.003, quick_window=2),
    "armadillo-small": Benchmark("the Armadillo in a mesh of 5,000 unknowns", "armadillo-small.json", ("armadillo-small",),
                                 from_time=7.5, window=50, step_seconds=0.025, quick_from=0.5),
    "bearing": Benchmark("nine soft balls between a torus and a rotating sphere", "bearing.json", ("race",), from_time=1.0, window=50,
                         step_seconds=0.05, quick_from=0.1),
    "wedge": Benchmark("rings and balls in a trough that closes", "wedge.json", from_time=1.5, window=50, step_seconds=0.2,
                       quick_from=0.4, quick=FEW_IN_THE_WEDGE,
                       quick_what="10 rings and 5 balls in a trough that closes (the benchmark has 30 and 20)"),
    "strings": Benchmark("elastic strings are tangled, let go and untangle", "strings.json", from_time=1.9, window=50,
                         step_seconds=0.1, quick_from=0.3),
    "rigid-stack": Benchmark("a wall, a house of cards and planks that jut out, rigid and held by friction", "rigid-stack.json",
                             solvers="cr-full,cr-diag,ica,sp-cr", from_time=1.0,
                             window=50, step=0.002, step_seconds=0.004),
}

# Mean (median): seconds of resolution, seconds in all, iterations, constraints; collision detection only as a mean.
Published = collections.namedtuple("Published", "resolution collision total iterations constraints")
TABLE_1 = {
    ("Rings", "sp-active-set"): Published((5.6, 3.2), 0.68, (6.2, 3.9), (1546, 780), (2385, 2919)),
    ("Rings", "sp-cr"): Published((5.0, 4.4), 0.68, (5.7, 5.2), (814, 728), (2340, 2886)),
    ("Rings", "cr-diag"): Published((2.8, 2.3), 1.1, (3.9, 3.5), (451, 340), (2435, 2976)),
    ("Rings", "ica"): Published((0.8, 0.7), 0.85, (1.6, 1.5), (180, 134), (2846, 3180)),
    ("Rings", "cr-full"): Published((0.52, 0.44), 0.94, (1.46, 1.43), (97, 76), (2280, 2466)),
    ("Pyramid", "sp-active-set"): Published((20.8, 11.75), 2.9, (23.7, 14.9), (1088, 604), (8647, 9651)),
    ("Pyramid", "sp-cr"): Published((15.6, 11.5), 3.7, (19.3, 15.4), (463, 332), (8901, 9939)),
    ("Pyramid", "cr-diag"): Published((7.6, 6.1), 4.4, (12.0, 10.8), (229, 179), (8871, 9877)),
    ("Pyramid", "ica"): Published((14.2, 3.8), 3.77, (17.95, 7.77), (558, 75), (8734, 9765)),
    ("Pyramid", "cr-full"): Published((2.3, 1.9), 3.77, (6.0, 5.6), (69, 59), (8565, 9546)),
    ("Rings*", "sp-active-set"): Published((20.2, 15.65), 0.9, (21.7, 16.7), (3373, 2423), (2290, 2892)),
    ("Rings*", "ica"): Published((2.1, 1.7), 0.78, (2.7, 2.5), (655, 550), (2439, 3217)),
    ("Rings*", "cr-full"): Published((0.8, 0.6), 0.84, (1.6, 1.40), (154, 103), (1898, 2232)),
}
