// The controls of the player: which run, which frame, how fast, in which colours.
import {FORCE, paint, objectColors, SPEED_GRADIENT} from './colors.js';
import {arrowsOf, decode, place} from './decode.js';

const RATES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];  // simulated seconds a second
const WANTED = 6;                                              // seconds that the whole should take
const PAUSE = 0.6;                                             // seconds at the end, before it starts again
const LEGEND = 16;                                             // more objects than this are not listed

const part = name => document.getElementById(name);
const digits = (value, count) => Number(value).toPrecision(count).replace(/\.?0+(e|$)/, '$1');

export class Player {
  constructor(runs, view) {
    Object.assign(this, {runs, view, playing: false, frame: 0, bySpeed: false});
    part('play').onclick = () => this.play(!this.playing);
    part('back').onclick = () => this.stepBy(-1);
    part('forth').onclick = () => this.stepBy(1);
    part('scrub').oninput = () => { this.play(false); this.goTo(Number(part('scrub').value)); };
    part('run').onchange = () => this.choose(Number(part('run').value));
    part('color').onchange = () => this.colorBy(part('color').value === 'speed');
    part('obstacles').onchange = () => view.showObstacles(part('obstacles').value);
    part('smooth').onchange = () => view.shadeSmoothly(part('smooth').checked);
    part('forces').onchange = () => this.colorBy(this.bySpeed);
    part('near').onclick = () => view.lookAtFrame();
    part('reset').onclick = () => view.lookAtAll();
    part('view').onkeydown = event => this.key(event);
    this.watchTaps(part('view'));
    new ResizeObserver(() => view.resize()).observe(part('view'));
  }

  async choose(number) {
    const {run: before, frame} = this, time = before ? before.time[frame] : 0;
    const run = await decode(this.runs[number]);
    this.run = run;
    part('run').value = number;
    this.positions = new Float32Array(3 * run.counts.vertices);
    this.colors = new Uint8Array(3 * run.counts.vertices);
    const stays = this.view.show(run, this.positions, this.colors);
    part('scrub').max = run.time.length - 1;
    for (const name of ['play', 'back', 'forth', 'scrub', 'rate']) part(name).disabled = run.time.length < 2;
    part('color').querySelector('[value=speed]').disabled = !run.speeds;
    if (!run.speeds) part('color').value = 'object';
    part('forces').disabled = !run.forces;
    for (const note of document.querySelectorAll('[data-note-of]')) note.hidden = Number(note.dataset.noteOf) !== number;
    this.fillRates();
    this.frame = Math.max(run.time.findLastIndex(t => t <= time), 0);
    this.colorBy(part('color').value === 'speed');
    this.view.showObstacles(part('obstacles').value);
    if (stays) this.view.resize(); else this.view.lookAtAll();
  }

  fillRates() {
    const {time} = this.run, whole = time[time.length - 1] - time[0];
    if (part('rate').options.length) return;
    const best = RATES.reduce((a, b) => Math.abs(Math.log(whole / b / WANTED)) < Math.abs(Math.log(whole / a / WANTED)) ? b : a);
    for (const rate of RATES) part('rate').add(new Option(`${rate} x real time`, rate, false, rate === (whole ? best : 1)));
  }

  goTo(frame) {
    const {run} = this;
    this.frame = frame;
    place(run, frame, this.positions);
    if (this.bySpeed) paint(run, frame, true, this.colors);
    this.view.showForces(this.withForces() ? arrowsOf(run, frame) : null);
    this.view.moved();
    part('scrub').value = frame;
    const text = `t = ${digits(run.time[frame], 6)} s, step ${run.step[frame]}, frame ${run.number[frame]} of 0 to ${run.in_file - 1}`;
    part('now').textContent = text;
    part('scrub').setAttribute('aria-valuetext', text);
  }

  withForces() { return Boolean(this.run.forces) && part('forces').checked; }

  stepBy(count) {
    this.play(false);
    this.goTo(Math.min(Math.max(this.frame + count, 0), this.run.time.length - 1));
  }

  play(on) {
    if (on === this.playing || (on && this.run.time.length < 2)) return;
    this.playing = on;
    part('play').textContent = on ? 'Pause' : 'Play';
    if (!on) return;
    if (this.frame === this.run.time.length - 1) this.goTo(0);
    this.clock = this.run.time[this.frame];
    this.wall = performance.now();
    requestAnimationFrame(now => this.tick(now));
  }

  // Shows the last frame whose time has come. Nothing is interpolated.
  tick(now) {
    if (!this.playing) return;
    const {time} = this.run, last = time[time.length - 1], rate = Number(part('rate').value);
    this.clock += rate * Math.max(now - this.wall, 0) / 1000;
    this.wall = now;
    if (this.clock > last + PAUSE * rate) this.clock = time[0];
    const frame = Math.max(time.findLastIndex(t => t <= this.clock), 0);
    if (frame !== this.frame) this.goTo(frame);
    requestAnimationFrame(later => this.tick(later));
  }

  colorBy(speed) {
    this.bySpeed = speed && Boolean(this.run.speeds);
    paint(this.run, this.frame, this.bySpeed, this.colors);
    this.goTo(this.frame);
    const legend = part('legend');
    legend.replaceChildren();
    if (this.bySpeed) {
      const bar = document.createElement('span');
      bar.className = 'bar';
      bar.style.background = SPEED_GRADIENT;
      legend.append('0', bar, `${digits(255 * this.run.speed_grid, 3)} m/s`);
    } else if (this.run.objects.length <= LEGEND) {
      const colors = objectColors(this.run.objects);
      for (const object of [...this.run.objects].sort((a, b) => a.row - b.row)) this.explain(colors.get(object.row), object.name);
    } else {
      legend.append(`${this.run.objects.length} objects; tap one for its name`);
    }
    if (this.withForces()) this.explain(FORCE, `longest arrow of all frames ${digits(this.run.forces.longest, 3)} N`);
  }

  // An entry of the legend.
  explain(color, text) {
    const entry = document.createElement('span'), patch = document.createElement('i');
    patch.style.background = color;
    entry.append(patch, text);
    part('legend').append(entry);
  }

  key(event) {
    const does = {' ': () => this.play(!this.playing), ArrowLeft: () => this.stepBy(-1), ArrowRight: () => this.stepBy(1)}[event.key];
    if (!does || part('play').disabled) return;
    event.preventDefault();
    does();
  }

  // A tap, other than a drag, tells the name of what is there.
  watchTaps(canvas) {
    let start = null;
    canvas.addEventListener('pointerdown', event => { start = event.isPrimary ? event : null; });
    canvas.addEventListener('pointerup', event => {
      if (!this.run || !start || Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 5) return;
      const box = canvas.getBoundingClientRect();
      const row = this.view.objectAt((event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height);
      const object = this.run.objects.find(candidate => candidate.row === row);
      part('named').textContent = object ? `${object.name} (${object.type})` : '';
    });
  }
}
