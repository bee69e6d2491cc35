#!/usr/bin/python3
"""chains.py out.csv CHAINS LINKS SPACING: poses of the links of upright chains of rings, for "poses" of an object that is a ring about z.

The chains hang side by side, SPACING (m) apart, their lowest links 0.1 m above z = 0; links of one chain are 32 mm apart and stand across
each other by turns. The first column of a chain is turned by 10 degrees more than that of the one before.
"""
import math
import sys

PITCH, LOWEST = 0.032, 0.1


def times(a, b):
    (w, x, y, z), (p, q, r, s) = a, b
    return (w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r, w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p)


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    return (math.cos(half), *(math.sin(half) * (k == axis) for k in range(3)))


def main():
    path, (chains, links), spacing = sys.argv[1], map(int, sys.argv[2:4]), float(sys.argv[4])
    across = math.ceil(math.sqrt(chains))
    with open(path, "w") as file:
        file.write("x,y,z,qw,qx,qy,qz\n")
        for chain in range(chains):
            x, y = (spacing * (k - (across - 1) / 2) for k in (chain % across, chain // across))
            for link in range(links):
                q = times(turn(2, 10 * chain + 90 * (link % 2)), turn(0, 90))
                file.write(",".join(repr(v) for v in (x, y, LOWEST + PITCH * link, *q)) + "\n")


main()
