// Colours of objects and of speeds, sRGB from 0 to 255.

const hex = text => [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16));

export const FORCE = '#b80d1a';
const SPEEDS = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];
export const SPEED_GRADIENT = `linear-gradient(to right, ${SPEEDS.join(', ')})`;

export const isObstacle = object => object.type === 'fixed' || object.type === 'scripted';

// The colour of each object, by its row: those of scripts/render.py.
export function objectColors(objects) {
  return new Map(objects.map(object => [object.row, object.color]));
}

// share: 0 for no speed, 1 for the greatest of the run.
function speedColor(share) {
  const at = Math.min(Math.max(share, 0), 1) * (SPEEDS.length - 1), low = Math.min(Math.floor(at), SPEEDS.length - 2);
  const [a, b] = [hex(SPEEDS[low]), hex(SPEEDS[low + 1])];
  return a.map((value, c) => value + (at - low) * (b[c] - value));
}
const SPEED_TABLE = Array.from({length: 256}, (_, k) => speedColor(k / 255));

// Three numbers a vertex.
export function paint(run, frame, bySpeed, colors) {
  const own = objectColors(run.objects);
  for (const object of run.objects) {
    const color = hex(own.get(object.row)), moving = run.speeds && object.first < run.counts.moving;
    for (let v = object.first; v < object.first + object.count; ++v) {
      colors.set(bySpeed ? SPEED_TABLE[moving ? run.speeds[frame][v] : 0] : color, 3 * v);
    }
  }
}
