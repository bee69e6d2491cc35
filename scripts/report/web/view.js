// Draws a run with WebGL: objects in their colours, obstacles grey.
import * as three from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';

import {FORCE, isObstacle} from './colors.js';
import {cornersOf, isBehind, isBody, isInFront, segmentsOf} from './select.js';

const SHADOWS = 2048;  // pixels, a side
const LINEAR = Float32Array.from({length: 256}, (_, byte) => new three.Color().setRGB(byte / 255, 0, 0, three.SRGBColorSpace).r);

export function canDraw() {
  const probe = document.createElement('canvas').getContext('webgl2');
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return Boolean(probe);
}

// An arrow of length 1 along y.
const ARROW = [[0, 0], [0.03, 0], [0.03, 0.7], [0.09, 0.7], [0, 1]].map(([x, y]) => new three.Vector2(x, y));
const ALONG = new three.Vector3(0, 1, 0);

const resembling = (a, b) => {
  const size = Math.hypot(...a.half);
  return Math.hypot(...b.centre.map((x, c) => x - a.centre[c])) < 0.5 * size && Math.abs(Math.hypot(...b.half) - size) < 0.5 * size;
};

export class View {
  constructor(canvas) {
    this.renderer = new three.WebGLRenderer({canvas, antialias: true, alpha: true});
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = three.PCFShadowMap;
    this.camera = new three.PerspectiveCamera(30, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());
    this.scene = new three.Scene();
    this.world = new three.Group();  // turned so that up is z
    this.sun = new three.DirectionalLight(0xffffff, 1.7);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOWS, SHADOWS);
    this.sun.shadow.bias = -0.0004;
    const lamp = new three.DirectionalLight(0xffffff, 0.7);
    lamp.position.set(0, 0, 1);
    this.camera.add(lamp);
    this.scene.add(this.world, this.camera, this.sun, this.sun.target, new three.HemisphereLight(0xffffff, 0x8a8780, 1.2));
    const sides = {side: three.DoubleSide, flatShading: true};
    this.bodies = new three.Mesh(undefined, new three.MeshLambertMaterial({vertexColors: true, ...sides}));
    this.obstacles = new three.Mesh(undefined, new three.MeshLambertMaterial({vertexColors: true, ...sides}));
    this.fronts = new three.Mesh(undefined, new three.MeshLambertMaterial({vertexColors: true, ...sides}));
    this.meshes = [[this.bodies, isBody], [this.obstacles, isBehind], [this.fronts, isInFront]];
    for (const [mesh] of this.meshes) {
      mesh.frustumCulled = false;
      mesh.receiveShadow = true;
      this.world.add(mesh);
    }
    this.bodies.castShadow = true;
    this.bodies.material.shadowSide = three.BackSide;  // what faces the sun shades nothing of itself
  }

  // Of arrowsOf(), or null for none; over everything, since half of each would be hidden in a body.
  showForces(arrows) {
    const count = arrows?.count ?? 0;
    if (!this.arrows || this.arrows.instanceMatrix.count < count) this.makeArrows(count);
    const from = new three.Vector3(), along = new three.Vector3(), turn = new three.Quaternion(), matrix = new three.Matrix4();
    for (let k = 0; k < count; ++k) {
      along.fromArray(arrows.along, 3 * k);
      const length = along.length();
      turn.setFromUnitVectors(ALONG, along.divideScalar(length || 1));
      this.arrows.setMatrixAt(k, matrix.compose(from.fromArray(arrows.from, 3 * k), turn, along.setScalar(length)));
    }
    this.arrows.count = count;
    this.arrows.instanceMatrix.needsUpdate = true;
  }

  makeArrows(count) {
    if (this.arrows) {
      this.world.remove(this.arrows);
      this.arrows.dispose();
    }
    const material = new three.MeshBasicMaterial({color: FORCE, depthTest: false, transparent: true});
    this.arrows = new three.InstancedMesh(new three.LatheGeometry(ARROW, 12), material, Math.max(2 * count, 64));
    this.arrows.frustumCulled = false;
    this.arrows.renderOrder = 1;
    this.world.add(this.arrows);
  }

  // A rod for each segment, of a four-hundredth of what is in sight where that is more than its thickness.
  makeRods(run) {
    if (this.rods) {
      this.world.remove(this.rods);
      this.rods.geometry.dispose();
      this.rods.dispose();
    }
    this.segments = segmentsOf(run);
    this.rods = new three.InstancedMesh(new three.CylinderGeometry(1, 1, 1, 10), new three.MeshLambertMaterial(), this.segments.length);
    this.rods.frustumCulled = false;
    this.rods.castShadow = true;
    this.rods.setColorAt(0, new three.Color());
    this.world.add(this.rods);
  }

  moveRods() {
    const a = new three.Vector3(), along = new three.Vector3(), turn = new three.Quaternion(), size = new three.Vector3();
    const matrix = new three.Matrix4(), color = new three.Color(), thin = Math.hypot(...this.run.half) / 400;
    this.segments.forEach((segment, k) => {
      a.fromBufferAttribute(this.position, segment.a);
      along.fromBufferAttribute(this.position, segment.b).sub(a);
      const length = along.length(), radius = Math.max(segment.thickness / 2, thin);
      a.addScaledVector(along, 0.5);
      turn.setFromUnitVectors(ALONG, along.divideScalar(length || 1));
      this.rods.setMatrixAt(k, matrix.compose(a, turn, size.set(radius, length, radius)));
      this.rods.setColorAt(k, color.fromBufferAttribute(this.color, segment.a));
    });
    this.rods.instanceMatrix.needsUpdate = this.rods.instanceColor.needsUpdate = true;
  }

  // positions and colors (sRGB), three numbers a vertex, are changed in place and told by moved(). Where the runs resemble
  // each other, the camera stays; true where it does.
  show(run, positions, colors) {
    const before = this.run;
    this.run = run;
    const position = new three.BufferAttribute(positions, 3);
    this.colors = colors;
    this.color = new three.BufferAttribute(new Float32Array(colors.length), 3);
    for (const [mesh, wanted] of this.meshes) {
      mesh.geometry.dispose();
      mesh.geometry = new three.BufferGeometry();
      mesh.geometry.setAttribute('position', position);
      mesh.geometry.setAttribute('color', this.color);
      mesh.geometry.setIndex(new three.BufferAttribute(cornersOf(run, wanted), 1));
    }
    this.position = position;
    this.makeRods(run);
    this.world.quaternion.setFromUnitVectors(new three.Vector3(...run.up), this.camera.up);
    this.from = new three.Vector3(...run.from).applyQuaternion(this.world.quaternion);
    this.setSun(Math.hypot(...run.half) || 1);
    if (!before || !resembling(before, run)) return false;
    const shift = new three.Vector3(...run.centre.map((x, c) => before.centre[c] - x)).applyQuaternion(this.world.quaternion);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    return true;
  }

  // Above and somewhat to the left of the usual side, as in scripts/render.py; shadows reach as far as what moves.
  setSun(size) {
    const left = new three.Vector3().crossVectors(this.camera.up, this.from);
    this.sun.position.copy(this.from).multiplyScalar(0.5).addScaledVector(this.camera.up, 1.2).addScaledVector(left, -0.5).setLength(4 * size);
    Object.assign(this.sun.shadow.camera, {left: -1.5 * size, right: 1.5 * size, top: 1.5 * size, bottom: -1.5 * size, near: 0.1 * size, far: 8 * size});
    this.sun.shadow.camera.updateProjectionMatrix();
  }

  moved() {
    for (let i = 0; i < this.colors.length; ++i) this.color.array[i] = LINEAR[this.colors[i]];
    this.position.needsUpdate = this.color.needsUpdate = true;
    if (this.smooth) for (const [mesh] of this.meshes) mesh.geometry.computeVertexNormals();
    this.moveRods();
    this.draw();
  }

  shadeSmoothly(smooth) {
    this.smooth = smooth;
    for (const [{material}] of this.meshes) {
      material.flatShading = !smooth;
      material.needsUpdate = true;
    }
    this.moved();
  }

  showObstacles(how) {
    for (const [mesh, seeThrough] of [[this.obstacles, how === 'see-through'], [this.fronts, how === 'see-through' || how === 'as needed']]) {
      const {material} = mesh;
      mesh.visible = how !== 'hidden';
      mesh.receiveShadow = !seeThrough;
      material.transparent = seeThrough;
      material.opacity = seeThrough ? 0.22 : 1;
      material.depthWrite = !seeThrough;
      material.needsUpdate = true;
    }
    this.draw();
  }

  // Everything that moves in sight, over all frames, from the usual side.
  lookAtAll() {
    this.lookAt(new three.Vector3(), this.run.half, this.from);
  }

  // The bodies as they are now, from the side that the camera is on.
  lookAtFrame() {
    const box = new three.Box3(), point = new three.Vector3();
    for (const object of this.run.objects) {
      if (isObstacle(object)) continue;
      for (let v = object.first; v < object.first + object.count; ++v) box.expandByPoint(point.fromBufferAttribute(this.position, v));
    }
    if (box.isEmpty()) return;
    const from = this.camera.position.clone().sub(this.controls.target).normalize(), half = box.getSize(new three.Vector3()).divideScalar(2);
    this.lookAt(box.getCenter(point).applyQuaternion(this.world.quaternion), half.toArray(), from);
  }

  lookAt(target, half, from) {
    this.resize();
    this.controls.target.copy(target);
    this.camera.position.copy(target).add(from);
    this.camera.lookAt(target);
    const distance = this.fittingDistance(half);
    this.camera.position.copy(target).addScaledVector(from, distance);
    this.camera.near = distance / 500;
    this.camera.far = distance * 50 + 10 * Math.hypot(...this.run.half);
    this.controls.update();
    this.resize();
  }

  // From where the camera, as it is turned now, has the corners of the box in sight.
  fittingDistance(half) {
    const high = Math.tan(this.camera.fov / 2 * Math.PI / 180), wide = high * this.camera.aspect;
    const turn = this.camera.quaternion.clone().invert().multiply(this.world.quaternion), corner = new three.Vector3();
    let distance = 1e-9;
    for (let k = 0; k < 8; ++k) {
      corner.set(...half.map((size, c) => (k >> c & 1 ? size : -size))).applyQuaternion(turn);
      distance = Math.max(distance, corner.z + Math.abs(corner.x) / wide, corner.z + Math.abs(corner.y) / high);
    }
    return 1.06 * distance;
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.renderer.domElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    const half = Math.tan((this.run?.field ?? 30) / 2 * Math.PI / 180);
    this.camera.aspect = width / height;
    this.camera.fov = 2 * Math.atan(half / Math.min(this.camera.aspect, 1)) * 180 / Math.PI;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }

  // The row of the object drawn at a point of the canvas (0 to 1 from the upper left corner), or undefined.
  objectAt(x, y) {
    const ray = new three.Raycaster();
    ray.setFromCamera(new three.Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    const all = this.meshes.map(([mesh]) => mesh), solid = all.filter(({visible, material}) => visible && !material.transparent);
    for (const mesh of all) if (mesh.geometry.index.count) mesh.geometry.computeBoundingSphere();
    const hit = ray.intersectObjects(solid)[0] ?? ray.intersectObjects(all)[0];
    return hit && this.run.objects.find(({first, count}) => hit.face.a >= first && hit.face.a < first + count)?.row;
  }
}
