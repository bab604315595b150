// three.js: WebGL, turned by the time between frames.
import { BoxGeometry, Clock, Mesh, MeshBasicMaterial, MeshNormalMaterial, PerspectiveCamera, Scene, TorusKnotGeometry, WebGLRenderer } from 'three';
const scene = new Scene(), camera = new PerspectiveCamera(60, 1.5, 0.1, 100), renderer = new WebGLRenderer({ antialias: true }), clock = new Clock();
const knot = new Mesh(new TorusKnotGeometry(1, 0.3, 64, 16), new MeshNormalMaterial());
let speed = 1;
const add = () => { const box = new Mesh(new BoxGeometry(0.4, 0.4, 0.4), new MeshBasicMaterial({ color: Math.random() * 0xffffff })); box.position.set(Math.random() * 3 - 1.5, Math.random() * 2 - 1, 0); scene.add(box); };
const turn = () => { const d = clock.getDelta() * speed; knot.rotation.x += d; knot.rotation.y += 0.7 * d; renderer.render(scene, camera); requestAnimationFrame(turn); };
root.innerHTML = '<button id="fast">fast</button><button id="add">add</button><button id="stop">stop</button><br>';
for (const [id, does] of Object.entries({ fast: () => { speed *= 2; }, add, stop: () => { speed = 0; } })) document.getElementById(id).onclick = does;
renderer.setSize(600, 400);
root.append(renderer.domElement);
scene.add(knot);
camera.position.z = 4;
turn();
