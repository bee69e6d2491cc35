// The geometry of a run, as scripts/report/geometry.py packs it: base64 of zlib of rows of integers.

const LONGEST = 0.2;  // of what moves, of the longest arrow, as in scripts/render.py
const KIND = {1: Uint8Array, 2: Uint16Array, 4: Uint32Array};

async function bytesOf(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) packed[i] = text.charCodeAt(i);
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

// Each row holds differences from the row before, modulo 256^width: first the lowest bytes of all, then the next ones.
function rows(bytes, width, count, length) {
  const all = [];
  let before = new KIND[width](length);
  for (let k = 0; k < count; ++k) {
    const row = new KIND[width](length);
    for (let i = 0; i < length; ++i) {
      let difference = 0;
      for (let b = 0; b < width; ++b) difference |= bytes[(k * width + b) * length + i] << (8 * b);
      row[i] = before[i] + difference;
    }
    all.push(row);
    before = row;
  }
  return all;
}

// What the page says about a run, with its numbers unpacked. Vertices that move come first.
export async function decode(run) {
  const {parts, counts, forces} = run;
  const [a, b, c] = rows(await bytesOf(parts.triangles), 4, 3, counts.triangles);
  const triangles = new Uint32Array(3 * a.length);
  for (let t = 0; t < a.length; ++t) triangles.set([a[t], b[t], c[t]], 3 * t);
  const [still] = rows(await bytesOf(parts.still), 2, 1, 3 * (counts.vertices - counts.moving));
  const moving = rows(await bytesOf(parts.moving), 2, run.time.length, 3 * counts.moving);
  const speeds = parts.speeds ? rows(await bytesOf(parts.speeds), 1, run.time.length, counts.moving) : null;
  if (!forces) return {...run, triangles, still, moving, speeds};
  const [places, values] = rows(await bytesOf(parts.forces), 2, 2, 3 * forces.begin.at(-1));
  return {...run, triangles, still, moving, speeds, forces: {...forces, places, values}};
}

// Writes the positions of a frame, in metres from run.centre.
export function place(run, frame, positions) {
  const moving = run.moving[frame], begin = moving.length;
  for (const {first, count, origin, grid} of run.objects) {
    const end = 3 * (first + count);
    for (let i = 3 * first; i < end; ++i) {
      const whole = i < begin ? moving[i] : run.still[i - begin];
      positions[i] = origin[i % 3] - run.centre[i % 3] + grid * whole;
    }
  }
}

// The forces of a frame: where they act, in metres from run.centre, and what to draw of them, in metres, three numbers each.
export function arrowsOf(run, frame) {
  const {begin, origin, grid, newton, longest, places, values} = run.forces, first = 3 * begin[frame], end = 3 * begin[frame + 1];
  const scale = longest > 0 ? LONGEST * 2 * Math.hypot(...run.half) / longest : 0;
  const from = new Float32Array(end - first), along = new Float32Array(end - first);
  for (let i = first; i < end; ++i) {
    from[i - first] = origin[i % 3] - run.centre[i % 3] + grid * places[i];
    along[i - first] = scale * newton * (values[i] - 32768);
  }
  return {from, along, count: (end - first) / 3};
}
