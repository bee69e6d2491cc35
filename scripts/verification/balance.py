"""The balance of energy and momentum that /steps tells: a column each for the work of what is prescribed, of corrections (gaps that
change, slip that is taken back, accepted residuals), for friction, for damping, and for the scheme's own loss.

    change of kinetic, elastic and potential energy
        = work_prescribed + work_correction - dissipation_friction - dissipation_damping - dissipation_scheme

The last is what the others leave, so that the sum alone shows little: each is compared with closed forms of the implicit step,
v1 = v0 + dt a, x1 = x0 + dt v1, whose forces do work over dt v1 and which loses m (v1 - v0)^2 / 2.
"""
import numpy as np

import simrun_results as sr
from verification.runs import GRAVITY, Row, body, box, floor, material, relative, scene

COLUMNS = ("work_prescribed", "work_correction", "dissipation_friction", "dissipation_damping", "dissipation_scheme")
SIDE, MU, DT = 0.1, 0.5, 1e-3
GAP = 2.5e-6  # m: half the contact tolerance of these scenes, so that nothing has to be lifted
SMALL = 1e-9  # of the energy, or of the momentum, in play
GIVEN = 0.01  # of the energy in play: what corrections may have given, as simcheck has it


class Ledger:
    """One value a step: change of energy, and the columns."""

    def __init__(self, run):
        energy = run.energy()
        self.change = np.diff(energy)
        self.work, self.correction, self.friction, self.damping, self.scheme = (run.steps[name] for name in COLUMNS)
        with_floor = np.concatenate([[0], np.cumsum(self.work)])
        height = energy - run.steps["potential_energy"].min()
        self.in_play = max(np.abs(height).max(), np.abs(with_floor).max())


def ledger_rows(case, more=None):
    """What holds of every run, and then `more(run, ledger)`."""
    def rows(run):
        missing = [name for name in COLUMNS if name not in run.steps]
        if missing:
            yield Row(case, "columns of the balance in /steps", "no " + ", ".join(missing), "none", False)
            return
        book = Ledger(run)
        rest = book.change - (book.work + book.correction - book.friction - book.damping - book.scheme)
        yield small(f"{case}: change of energy less what the columns say, largest of a step over the energy in play",
                    np.abs(rest).max() / book.in_play, f"{book.in_play:.3g} J in play")
        yield small(f"{case}: friction or damping giving energy, largest of a step over the energy in play",
                    max(0, -min(book.friction.min(), book.damping.min())) / book.in_play)
        yield small(f"{case}: energy that the scheme has given, the most from any step to a later one over the energy in play",
                    fall(book.scheme) / book.in_play, f"in one step {max(0, -book.scheme.min()) / book.in_play:.2g}")
        given = fall(-book.correction) / book.in_play
        yield Row(f"{case}: energy that corrections have given, likewise", "0", f"{given:.3g}", f"{GIVEN:g}", given <= GIVEN,
                  f"in one step {max(0, book.correction.max()) / book.in_play:.2g}")
        grown = fall(book.work - book.change) / book.in_play
        yield Row(f"{case}: growth of energy beyond the work of what is prescribed, likewise", "0", f"{grown:.3g}", f"{GIVEN:g}", grown <= GIVEN)
        if more:
            yield from more(run, book)
    return rows


def fall(losses):
    """Of their running sum, the largest from any step to a later one."""
    total = np.concatenate([[0], np.cumsum(losses)])
    return (np.maximum.accumulate(total) - total).max()


def small(case, measured, note=""):
    return Row(case, "0", f"{measured:.3g}", f"{SMALL:.0e}", measured <= SMALL, note)


def cube(velocity=(0, 0, 0), rigid=True, z=SIDE / 2 + GAP, name="cube"):
    return body(name, "cube", (0, 0, z), velocity, rigid=rigid)


def table_scene(objects, duration, motion=None, damping=None, young=5e5, **more):
    """On a slab, which moves with `motion`."""
    plate, mesh = floor((20, 20))
    if motion:
        plate |= {"type": "scripted", "motion": {"velocity": list(motion)}}
    made = scene({"soft": material(young=young, damping=damping)}, {"cube": box([SIDE] * 3, (2, 2, 2)), "plate": mesh}, [*objects, plate],
                 DT, duration, every=1, **more)
    made["output"]["contacts"] = True
    return made


def free(context):
    """A flight and a glide through a medium: nothing touches."""
    loss = 0.5 * (GRAVITY * DT)**2  # J/kg

    def flight(run, book):
        mass = run.total_mass()
        yield small("balance: a throw: the scheme's loss against m (g dt)^2 / 2, largest error of a step over the energy in play",
                    np.abs(book.scheme - mass * loss).max() / book.in_play)
    for rigid in (True, False):
        kind = "rigid" if rigid else "elastic"
        case = f"balance: a throw, {kind}"
        yield from context.judge(case, f"balance-throw-{kind}", table_scene([cube((1, 0, 2), rigid, 1.0)], 0.2), ledger_rows(case, flight))
        case, alpha = f"balance: a glide with mass damping 5/s, {kind}", 5.0

        def glide(run, book, case=case):
            kinetic = run.steps["kinetic_energy"]
            before = run.energy()[0]
            v0 = np.sqrt(2 * np.concatenate([[before], kinetic[:-1]]) / run.total_mass())
            v1 = v0 / (1 + alpha * DT)
            yield small(f"{case}: damping against alpha m v^2 dt, largest error of a step over the energy in play",
                        np.abs(book.damping - alpha * DT * 2 * kinetic).max() / book.in_play)
            yield small(f"{case}: the scheme's loss against m (v1 - v0)^2 / 2, largest error of a step over the energy in play",
                        np.abs(book.scheme - 0.5 * run.total_mass() * (v1 - v0)**2).max() / book.in_play)
        made = table_scene([cube((1, 0, 0), rigid, 1.0)], 0.2, damping={"mass": alpha, "stiffness": 0.0}, gravity=[0, 0, 0])
        yield from context.judge(case, f"balance-glide-{kind}", made, ledger_rows(case, glide))


def slipping(speed):
    """m^2/s^2: what friction takes of a kilogram that slides with `speed` until it sticks, and what the scheme takes. The last step of
    the slide ends at rest without slip. Of friction without the first two steps: in one contacts are made on the way, and slip after that
    only; an elastic cube falls by half of its gap there, and what its weight is short of comes in the other."""
    fall = MU * GRAVITY * DT
    count = int(np.floor(speed / fall * (1 - 1e-12)))
    slip = speed - fall * np.arange(1, count + 1)
    return fall * slip[2:].sum(), 0.5 * count * fall**2 + 0.5 * (speed - count * fall)**2


def sliding(context):
    """Thrown over a floor at rest, or laid on a belt: the same, seen from elsewhere. The belt gives all of the momentum m V, and works
    m V^2."""
    for belt in (0.0, 1.0):
        for rigid in (True, False):
            kind = "rigid" if rigid else "elastic"
            case = f"balance: {kind} cube " + ("laid on a belt at 1 m/s" if belt else "thrown over a floor at 1 m/s")

            def rows(run, book, case=case, belt=belt):
                mass = run.total_mass()
                friction, scheme = slipping(1.0)
                yield relative(f"{case}: work of friction after the first two steps", "J", mass * friction, book.friction[2:].sum(), 1e-3)
                loss = book.scheme.sum()
                yield Row(f"{case}: the scheme's loss", f"{mass * scheme:.6g} J", f"{loss:.6g} J", f"0.1 % of {0.5 * mass:.3g} J",
                          abs(loss - mass * scheme) <= 1e-3 * 0.5 * mass)
                if belt:
                    yield relative(f"{case}: work of the belt", "J", mass * belt**2, book.work.sum(), 1e-3)
                else:
                    yield small(f"{case}: work of the floor, over the energy in play", np.abs(book.work).max() / book.in_play)
                yield from momentum_rows(case, run)
            made = table_scene([cube((0 if belt else 1, 0, 0), rigid)], 0.3, (belt, 0, 0) if belt else None, young=1e8)
            yield from context.judge(case, f"balance-{'belt' if belt else 'floor'}-{kind}", made, ledger_rows(case, rows))


def momentum_rows(case, run):
    """Change of momentum against weight, contact forces and the accepted residual, of every step that was not divided."""
    with sr.open(run.path) as result:
        force = -np.array([frame.contacts.force_on("floor") for frame in result.frames[1:]])
    whole = run.steps["substeps"] == 1
    before = run.mass @ run.v[0]
    change = np.diff(np.vstack([before, run.steps["momentum"]]), axis=0)
    rest = change - run.steps["dt"][:, None] * (force + run.total_mass() * run.gravity) - run.steps["impulse_left_over"]
    in_play = np.einsum("i,nij->n", run.mass, np.abs(run.v)).max()
    yield small(f"{case}: change of momentum less weight, contact forces and accepted residual, largest of a step over m |v|",
                np.linalg.norm(rest[whole], axis=1).max() / in_play, f"{whole.sum()} steps, those that were not divided")


def lift(context):
    """A slab goes up at 1 m/s with a cube that is as fast from the start: m g V T."""
    case, duration = "balance: rigid cube in a lift at 1 m/s", 0.2

    def rows(run, book):
        yield relative(f"{case}: work of the slab", "J", run.total_mass() * GRAVITY * duration, book.work.sum(), 1e-3)
    yield from context.judge(case, "balance-lift", table_scene([cube((0, 0, 1))], duration, (0, 0, 1)), ledger_rows(case, rows))


PULL, STRAIN = 1.0, 0.01  # s


def pull(context):
    """A bar of nu 0 is pulled slowly by its end: E eps^2 / 2 times its volume. It starts and stops slowly enough that nothing rings."""
    case, young, size = "balance: a bar pulled by 1 %", 5e5, (0.4, 0.1, 0.1)
    way = STRAIN * size[0]
    ends = [{"plane": {"point": [-0.2, 0, 0], "normal": [-1, 0, 0]}},
            {"plane": {"point": [0.2, 0, 0], "normal": [1, 0, 0]},
             "motion": {"translation": [f"{0.5 * way}*(1-cos(pi*t/{PULL}))", "0", "0"]}}]
    made = scene({"soft": material(young=young, poisson=0.0)}, {"bar": box(size, (8, 2, 2))},
                 [body("bar", "bar", (0, 0, 0)) | {"boundary": ends}], DT, PULL, every=20, gravity=[0, 0, 0])
    volume = size[0] * size[1] * size[2]

    def rows(run, book):
        yield relative(f"{case}: work of the end", "J", 0.5 * young * STRAIN**2 * volume, book.work.sum(), 0.01)
    yield from context.judge(case, "balance-pull", made, ledger_rows(case, rows))


def mixed(context):
    """Belt, friction, damping, impacts, rigid and elastic together: nothing to compare with but the balance."""
    case = "balance: four cubes fall on a belt and on each other, damped"
    cubes = [body(f"cube.{n}", "cube", place, velocity, turned, rigid) for n, (place, velocity, turned, rigid) in enumerate((
        ((0, 0, 0.1), (0, 0, -1), None, False), ((0.15, 0.02, 0.15), (-1, 0, 0), {"axis": [1, 2, 0], "degrees": 30.0}, False),
        ((0.02, 0.03, 0.28), (0, 0, -2), {"axis": [0, 1, 3], "degrees": 50.0}, True), ((0, 0.16, 0.12), (0, -1, 0), None, True)), 1)]
    made = table_scene(cubes, 0.1 if context.quick else 0.5, (2, 0, 0), {"mass": 0.5, "stiffness": 1e-4})
    yield from context.judge(case, "balance-mixed", made, ledger_rows(case))


def balance(context):
    for part in (free, sliding, lift, pull, mixed):
        yield from part(context)
