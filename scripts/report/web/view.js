// Draws a run with WebGL: objects in their colours, obstacles grey.
import * as three from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';

import {OBSTACLE, isObstacle} from './colors.js';
import {cornersOf} from './select.js';

const FROM = new three.Vector3(0.55, -1, 0.4).normalize();  // of the camera, as in scripts/render.py
const FIELD = 35;                                           // degrees, of the shorter side

export function canDraw() {
  const probe = document.createElement('canvas').getContext('webgl2');
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return Boolean(probe);
}

export class View {
  constructor(canvas) {
    this.renderer = new three.WebGLRenderer({canvas, antialias: true, alpha: true});
    this.camera = new three.PerspectiveCamera(FIELD, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());
    this.scene = new three.Scene();
    this.world = new three.Group();  // turned so that up is z
    const lamp = new three.DirectionalLight(0xffffff, 2.2);
    lamp.position.set(-0.6, 1, 0.8);
    this.camera.add(lamp);
    this.scene.add(this.world, this.camera, new three.HemisphereLight(0xffffff, 0x8a8780, 1.3));
    const sides = {side: three.DoubleSide, flatShading: true};
    this.bodies = new three.Mesh(undefined, new three.MeshLambertMaterial({vertexColors: true, ...sides}));
    this.obstacles = new three.Mesh(undefined, new three.MeshLambertMaterial({color: OBSTACLE, ...sides}));
    for (const mesh of [this.bodies, this.obstacles]) {
      mesh.frustumCulled = false;
      this.world.add(mesh);
    }
  }

  // positions and colors (sRGB), three numbers a vertex, are changed in place and told by moved().
  show(run, positions, colors) {
    const position = new three.BufferAttribute(positions, 3);
    this.colors = colors;
    this.color = new three.BufferAttribute(new Float32Array(colors.length), 3);
    for (const [mesh, wanted] of [[this.bodies, object => !isObstacle(object)], [this.obstacles, isObstacle]]) {
      mesh.geometry.dispose();
      mesh.geometry = new three.BufferGeometry();
      mesh.geometry.setAttribute('position', position);
      mesh.geometry.setAttribute('color', this.color);
      mesh.geometry.setIndex(new three.BufferAttribute(cornersOf(run, wanted), 1));
    }
    this.position = position;
    this.world.quaternion.setFromUnitVectors(new three.Vector3(...run.up), this.camera.up);
    this.radius = run.radius;
  }

  moved() {
    const color = new three.Color();
    for (let i = 0; i < this.colors.length; i += 3) {
      color.setRGB(this.colors[i], this.colors[i + 1], this.colors[i + 2], three.SRGBColorSpace).toArray(this.color.array, i);
    }
    this.position.needsUpdate = this.color.needsUpdate = true;
    if (this.smooth) for (const mesh of [this.bodies, this.obstacles]) mesh.geometry.computeVertexNormals();
    this.draw();
  }

  shadeSmoothly(smooth) {
    this.smooth = smooth;
    for (const {material} of [this.bodies, this.obstacles]) {
      material.flatShading = !smooth;
      material.needsUpdate = true;
    }
    this.moved();
  }

  showObstacles(how) {
    this.obstacles.visible = how !== 'hidden';
    const seeThrough = how === 'see-through', {material} = this.obstacles;
    material.transparent = seeThrough;
    material.opacity = seeThrough ? 0.3 : 1;
    material.depthWrite = !seeThrough;
    material.needsUpdate = true;
    this.draw();
  }

  // Everything that moves in sight, over all frames.
  lookAtAll() {
    const distance = this.radius / Math.sin(FIELD / 2 * Math.PI / 180);
    this.controls.target.set(0, 0, 0);
    this.camera.position.copy(FROM).multiplyScalar(distance);
    this.camera.near = distance / 500;
    this.camera.far = distance * 50;
    this.controls.update();
    this.resize();
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.renderer.domElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    const half = Math.tan(FIELD / 2 * Math.PI / 180);
    this.camera.aspect = width / height;
    this.camera.fov = 2 * Math.atan(half / Math.min(this.camera.aspect, 1)) * 180 / Math.PI;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }

  // The row of the object drawn at a point of the canvas (0 to 1 from the upper left corner), or undefined.
  objectAt(run, x, y) {
    const ray = new three.Raycaster();
    ray.setFromCamera(new three.Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    const meshes = this.obstacles.visible && !this.obstacles.material.transparent ? [this.bodies, this.obstacles] : [this.bodies];
    for (const mesh of meshes) mesh.geometry.computeBoundingSphere();
    const hit = ray.intersectObjects(meshes)[0] ?? ray.intersectObject(this.obstacles)[0];
    return hit && run.objects.find(({first, count}) => hit.face.a >= first && hit.face.a < first + count)?.row;
  }
}
