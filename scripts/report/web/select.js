import {isObstacle} from './colors.js';

// What is drawn apart: bodies, obstacles that hide them from the usual side, and the others.
export const isBody = object => !isObstacle(object);
export const isInFront = object => isObstacle(object) && object.hides;
export const isBehind = object => isObstacle(object) && !object.hides;

// The segments of cables and obstacles, triangles whose last two corners are one: their ends, and how thick they are (m; 0: any).
export function segmentsOf(run) {
  const found = [];
  for (const {triangles: [begin, end], thickness} of run.objects) {
    for (let t = 3 * begin; t < 3 * end; t += 3) {
      const [a, b, c] = run.triangles.subarray(t, t + 3);
      if (b === c && a !== b) found.push({a, b, thickness});
    }
  }
  return found;
}

// Corners of the triangles of the objects that are wanted, one object after the other.
export function cornersOf(run, wanted) {
  const parts = run.objects.filter(wanted).map(({triangles: [begin, end]}) => run.triangles.subarray(3 * begin, 3 * end));
  const corners = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    corners.set(part, at);
    at += part.length;
  }
  return corners;
}
