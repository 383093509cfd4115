import * as THREE from "three";
import { token } from "../core/theme";

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const MAX_PIXEL_RATIO = 2;
/** Pixels of a smoothed picture, at most: the CPU draws them in about a quarter of a second. */
const MAX_SMOOTH_PIXELS = 2.4e6;
const FOG = { near: 14, far: 34 };
/** From what it shines on towards the sun. */
const SUN = new THREE.Vector3(2, 5.5, 3);
/** Metres around the main figure within which figures cast shadows, and pixels of the shadows across. */
const SHADOW_REACH = 2.6;
const SHADOW_PIXELS = 1024;

/** Renderer, camera, lights, and the scene that other parts add to. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.05, 200);
  readonly renderer: THREE.WebGLRenderer;
  /** Whether the CPU renders: antialiasing is off then, because it costs more than all the rest. */
  readonly isSoftware: boolean;
  private pixelRatio = MAX_PIXEL_RATIO;
  private isSmoothed = false;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.1);
  /** Shows shadows on the floor and nothing else. */
  private readonly shadow = new THREE.Mesh(
    new THREE.PlaneGeometry(4 * SHADOW_REACH, 4 * SHADOW_REACH),
    new THREE.ShadowMaterial({ opacity: 0.28, depthWrite: false }),
  );

  constructor(readonly host: HTMLElement) {
    this.isSoftware = isSoftwareRenderer();
    this.renderer = new THREE.WebGLRenderer({
      antialias: !this.isSoftware,
      stencil: true, // ghosts keep out of what solid figures cover
      powerPreference: "high-performance",
    });
    this.scene.fog = new THREE.Fog(0, FOG.near, FOG.far);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x5f6672, 1.7));
    this.sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    const { camera } = this.sun.shadow;
    [camera.left, camera.right, camera.bottom, camera.top] = [-SHADOW_REACH, SHADOW_REACH, -SHADOW_REACH, SHADOW_REACH];
    [camera.near, camera.far] = [0.5, 16];
    this.shadow.rotateX(-Math.PI / 2);
    this.shadow.receiveShadow = true;
    this.scene.add(this.sun, this.sun.target, this.shadow);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.recolour();
    host.prepend(this.renderer.domElement);
    this.resize();
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Device pixels per CSS pixel, at most. */
  set maxPixelRatio(ratio: number) {
    this.setPixelRatio(ratio, false);
  }

  /** Set the pixels per CSS pixel: at most `ratio`, and not more than the screen has, unless `isSmoothed`: where the CPU
   * draws, up to four pixels are then drawn for one, because edges are jagged there otherwise. */
  setPixelRatio(ratio: number, isSmoothed: boolean): void {
    if (this.pixelRatio === ratio && this.isSmoothed === isSmoothed) return;
    this.pixelRatio = ratio;
    this.isSmoothed = isSmoothed;
    this.resize();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    const smooth = this.isSmoothed && this.isSoftware ? Math.sqrt(MAX_SMOOTH_PIXELS / (width * height)) : 0;
    this.renderer.setPixelRatio(Math.min(Math.max(devicePixelRatio, smooth), this.pixelRatio, MAX_PIXEL_RATIO));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  recolour(): void {
    const ground = new THREE.Color(token("--ground"));
    this.scene.background = ground;
    (this.scene.fog as THREE.Fog).color = ground;
  }

  /** Fade what is far from the camera, depending on the distance that it looks from. */
  fadeFrom(distance: number): void {
    const fog = this.scene.fog as THREE.Fog;
    fog.near = FOG.near + distance;
    fog.far = FOG.far + 2 * distance;
  }

  /** Let figures around a point cast shadows onto a floor of this height; null for none. */
  castShadows(around: THREE.Vector3 | null, floor: number): void {
    const isOn = around !== null;
    this.shadow.visible = isOn;
    if (this.sun.castShadow !== isOn) this.sun.castShadow = isOn;
    const { x, z } = around ?? new THREE.Vector3();
    this.sun.target.position.set(x, floor + 0.8, z);
    this.sun.position.copy(this.sun.target.position).add(SUN);
    this.shadow.position.set(x, floor + 0.001, z);
  }

  render(camera: THREE.Camera = this.camera): void {
    this.renderer.render(this.scene, camera);
  }

  /** Draw once more, and return the milliseconds until all pixels are there. */
  timePicture(camera: THREE.Camera): number {
    const start = performance.now();
    this.render(camera);
    const context = this.renderer.getContext();
    context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - start;
  }
}

function isSoftwareRenderer(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return true;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(name);
}

/** Metres from the centre of the grid to its edge. */
const HALF = 30;
/** Length of line segments in metres: software renderers drop lines that reach behind the camera. */
const SEGMENT = 2;

/** A one-metre grid that moves along under the camera target, so that it never ends. */
export class Ground {
  readonly group = new THREE.Group();
  private fine = gridLines(1);
  private coarse = gridLines(5);

  constructor() {
    this.coarse.position.y = 0.0005; // above the fine lines
    this.group.add(this.fine, this.coarse);
    this.recolour();
  }

  recolour(): void {
    (this.fine.material as THREE.LineBasicMaterial).color.set(token("--grid"));
    (this.coarse.material as THREE.LineBasicMaterial).color.set(token("--grid-strong"));
  }

  moveUnder(target: THREE.Vector3, floor: number): void {
    // In steps of the coarse grid, so that lines stay where they are in the world.
    this.group.position.set(5 * Math.round(target.x / 5), floor, 5 * Math.round(target.z / 5));
  }
}

/** A square grid around the origin, with lines every `step` metres up to `half` metres from its centre. */
export function gridLines(step: number, half = HALF): THREE.LineSegments {
  const points: number[] = [];
  for (let at = -half; at <= half; at += step) {
    for (let from = -half; from < half; from += SEGMENT) {
      const to = from + SEGMENT;
      points.push(at, 0, from, at, 0, to, from, 0, at, to, 0, at);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial());
}
