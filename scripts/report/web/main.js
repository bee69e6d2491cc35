// The player of the page that scripts/report.py writes.
import {PlainView} from './plain.js';
import {Player} from './player.js';
import {View, canDraw} from './view.js';

function say(text) {
  const note = document.getElementById('trouble');
  note.textContent = text;
  note.hidden = false;
}

async function start() {
  const runs = JSON.parse(document.getElementById('runs').textContent);
  const canvas = document.getElementById('view'), drawn = canDraw();
  if (!drawn) {
    say('This browser offers no WebGL: the frames are drawn plainly, from one side.');
    for (const name of ['reset', 'near', 'smooth']) document.getElementById(name).disabled = true;
  }
  canvas.addEventListener('webglcontextlost', () => say('The browser has taken the graphics away. Reload the page to see the bodies again.'));
  const player = new Player(runs, drawn ? new View(canvas) : new PlainView(canvas));
  await player.choose(0);
  globalThis.simrunPlayer = player;  // for the browser's console
}

start().catch(error => {
  say(`The player does not work in this browser (${error.message}). The table and the plots are below.`);
  console.error(error);
});
