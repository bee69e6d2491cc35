#!/usr/bin/env python3
"""The placements of libsim/mesh/scatter.hpp a second time, for the golden values of scatter_test.cpp.

From the published descriptions: PCG32 (O'Neill 2014, pcg32_random_r and pcg32_srandom_r with the
default stream), numbers in [0, 1) from 53 bits, positions drawn one after another and kept when no centre before is
nearer than two radii (random sequential addition), after each a quaternion (Marsaglia 1972). Python's floats are IEEE
doubles, never fused, and math.sqrt is correctly rounded. Overlap is tested against all, without a grid.

    scatter_reference.py [count [seed [radius [xlow ylow zlow xhigh yhigh zhigh]]]]
"""
import math
import sys

MASK64 = (1 << 64) - 1


class Pcg32:
    def __init__(self, seed, stream=721347520444481703):
        self.increment = (stream << 1 | 1) & MASK64
        self.state = 0
        self.next()
        self.state = (self.state + seed) & MASK64
        self.next()

    def next(self):
        old = self.state
        self.state = (old * 6364136223846793005 + self.increment) & MASK64
        word = ((old >> 18) ^ old) >> 27 & 0xFFFFFFFF
        turn = old >> 59
        return (word >> turn | word << (32 - turn)) & 0xFFFFFFFF

    def uniform(self, low, high):
        bits = self.next() << 32
        bits |= self.next()
        return low + (high - low) * ((bits >> 11) / 2.0**53)


def in_disc(random):
    while True:
        x = random.uniform(-1.0, 1.0)
        y = random.uniform(-1.0, 1.0)
        square = x * x + y * y
        if 0 < square < 1:
            return x, y, square


def quaternion(random):
    x1, y1, s1 = in_disc(random)
    x2, y2, s2 = in_disc(random)
    scale = math.sqrt((1 - s1) / s2)
    return x1, y1, x2 * scale, y2 * scale


def square_distance(a, b):
    x, y, z = (a[i] - b[i] for i in range(3))
    return x * x + y * y + z * z


def scatter(count, seed, radius, low, high):
    random = Pcg32(seed)
    placements = []
    draws = 0
    while len(placements) < count:
        p = [random.uniform(low[a] + radius, high[a] - radius) for a in range(3)]
        draws += 1
        nearest = min((square_distance(p, q) for _, q in placements), default=math.inf)
        if nearest >= 2 * radius * (2 * radius):
            placements.append((quaternion(random), p))
    return placements, draws


def main():
    arguments = sys.argv[1:] + [""] * 9
    count = int(arguments[0] or 40)
    seed = int(arguments[1] or 2024)
    radius = float(arguments[2] or 0.1)
    box = [float(b or d) for b, d in zip(arguments[3:9], (-0.5, -0.4, 0.0, 0.5, 0.4, 1.0))]
    placements, draws = scatter(count, seed, radius, box[:3], box[3:])
    print(f"{count} placements after {draws} draws of a position")
    for i in (0, 1, count // 2, count - 1):
        q, p = placements[i]
        print(i, *(x.hex() for x in (*q, *p)))


if __name__ == "__main__":
    main()
