// Draws a run without WebGL: triangles from back to front, from one side. The same face as View of view.js.
import {FORCE} from './colors.js';
import {cornersOf, isBehind, isBody, isInFront} from './select.js';

const unit = a => a.map(x => x / Math.hypot(...a));
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export class PlainView {
  constructor(canvas) {
    this.canvas = canvas;
    this.how = 'as needed';
  }

  show(run, positions, colors) {
    Object.assign(this, {run, positions, colors});
    const right = unit(cross(run.up, run.from));
    this.axes = [right, cross(run.from, right), run.from];
  }

  moved() { this.draw(); }
  shadeSmoothly() {}
  lookAtAll() { this.draw(); }
  lookAtFrame() {}
  resize() { this.draw(); }
  objectAt() {}
  showForces(arrows) { this.arrows = arrows; }
  showObstacles(how) {
    this.how = how;
    this.draw();
  }

  draw() {
    const {canvas, positions, run} = this;
    if (!run || !canvas.clientWidth) return;
    const width = canvas.width = canvas.clientWidth * devicePixelRatio, height = canvas.height = canvas.clientHeight * devicePixelRatio;
    const pen = canvas.getContext('2d'), scale = Math.min(width, height) / 2 / (Math.hypot(...run.half) || 1);
    const seen = new Float32Array(positions.length);
    for (let i = 0; i < positions.length; i += 3) this.axes.forEach((axis, c) => { seen[i + c] = dot(axis, positions.subarray(i, i + 3)); });
    const draw = (corners, alpha) => {
      const depth = t => seen[3 * corners[t] + 2] + seen[3 * corners[t + 1] + 2] + seen[3 * corners[t + 2] + 2];
      const order = Float64Array.from({length: corners.length / 3}, (_, t) => 3 * t).sort((s, t) => depth(s) - depth(t));
      pen.globalAlpha = alpha;
      for (const t of order) this.triangle(pen, seen, corners.subarray(t, t + 3), scale, width / 2, height / 2);
    };
    const {how} = this;
    if (how !== 'hidden') draw(cornersOf(run, isBehind), how === 'see-through' ? 0.4 : 1);
    draw(cornersOf(run, isBody), 1);
    if (how !== 'hidden') draw(cornersOf(run, isInFront), how === 'solid' ? 1 : 0.25);
    if (this.arrows) this.drawArrows(pen, scale, width / 2, height / 2);
  }

  drawArrows(pen, scale, x, y) {
    const {from, along, count} = this.arrows, place = point => [x + scale * dot(this.axes[0], point), y - scale * dot(this.axes[1], point)];
    pen.strokeStyle = FORCE;
    pen.lineWidth = 2 * devicePixelRatio;
    pen.beginPath();
    for (let k = 0; k < 3 * count; k += 3) {
      const tail = from.subarray(k, k + 3), tip = tail.map((value, c) => value + along[k + c]);
      const [a, b] = place(tail), [c, d] = place(tip), s = c - a, t = d - b;
      for (const side of [-0.12, 0.12]) {
        pen.moveTo(c - 0.25 * s - side * t, d - 0.25 * t + side * s);
        pen.lineTo(c, d);
      }
      pen.lineTo(a, b);
    }
    pen.stroke();
    pen.lineWidth = 1;
  }

  triangle(pen, seen, corners, scale, x, y) {
    const [a, b, c] = Array.from(corners, v => seen.subarray(3 * v, 3 * v + 3));
    const normal = cross([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    const light = 0.45 + 0.55 * Math.abs(dot(normal, [-0.4, 0.6, 0.7])) / (Math.hypot(...normal) || 1);
    const [red, green, blue] = this.colors.subarray(3 * corners[0], 3 * corners[0] + 3).map(value => value * light);
    pen.fillStyle = pen.strokeStyle = `rgb(${red} ${green} ${blue})`;
    pen.beginPath();
    for (const point of [a, b, c]) pen.lineTo(x + scale * point[0], y - scale * point[1]);
    pen.closePath();
    pen.fill();
    pen.stroke();
  }
}
