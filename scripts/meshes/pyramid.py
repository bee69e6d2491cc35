#!/usr/bin/python3
"""pyramid.py > scenes/pyramid.json: 140 cages in seven layers of 7x7, 6x6, ..., 1, each above four of the layer below, onto which it falls."""
PITCH, HEIGHT, GAP = 0.205, 0.08, 0.04  # m; from layer to layer 4 cm, which is the fall of the lowest

HEAD = '''// 140 cages in a pyramid of seven layers, 4 cm apart, fall upon each other (Verschoor & Jalba 2019, Table 1: Pyramid; what its objects are
// is not told). A cage is two rings joined by twelve posts: 432 tets and 528 faces, as published. scripts/meshes.sh makes the mesh,
// scripts/meshes/pyramid.py wrote this file.
{
  "name": "pyramid",
  "time": { "step": 0.0005, "duration": 1.0 },
  "materials": { "rubber": { "model": "corotational", "young": 5e5, "poisson": 0.2, "density": 1000 } },
  "meshes": {
    "cage": { "file": "meshes/cage.vtk" },
    "floor": { "generate": "slab", "size": [6, 6] }
  },
  "objects": ['''
TAIL = '''    { "name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05] }
  ],
  "contact": { "friction": 0.5 },
  "output": { "every": 40 }
}'''

print(HEAD)
for layer in range(7):
    side = 7 - layer
    z = (layer + 0.5) * HEIGHT + (layer + 1) * GAP
    for i in range(side):
        for j in range(side):
            x, y = PITCH * (i - (side - 1) / 2), PITCH * (j - (side - 1) / 2)
            print(f'    {{ "name": "cage {layer + 1}.{i * side + j + 1}", "mesh": "cage", "material": "rubber", '
                  f'"position": [{x:.4f}, {y:.4f}, {z:.4f}] }},')
print(TAIL)
