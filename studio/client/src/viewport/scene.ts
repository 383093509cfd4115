import * as THREE from "three";
import { token } from "../core/theme";

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const SHARPEST = 2;
const FOG = { near: 14, far: 34 };

/** The picture: renderer, light, and the scene that the other parts add to. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.05, 200);
  readonly renderer: THREE.WebGLRenderer;
  /** Drawn by the processor: edges stay rough, since smoothing them costs more than all the rest. */
  readonly isSoftware: boolean;
  private sharpness = SHARPEST;

  constructor(readonly host: HTMLElement) {
    this.isSoftware = drawsInSoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: !this.isSoftware, powerPreference: "high-performance" });
    this.scene.fog = new THREE.Fog(0, FOG.near, FOG.far);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x5f6672, 1.7));
    const sun = new THREE.DirectionalLight(0xffffff, 2.1);
    sun.position.set(2, 5, 3);
    this.scene.add(sun);
    this.recolour();
    host.prepend(this.renderer.domElement);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** At most this many pixels per unit of the page. */
  set maxPixelRatio(ratio: number) {
    this.sharpness = ratio;
    this.resize();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.sharpness, SHARPEST));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  recolour(): void {
    const ground = new THREE.Color(token("--ground"));
    this.scene.background = ground;
    (this.scene.fog as THREE.Fog).color = ground;
  }

  /** Things far from the camera fade; how far depends on how far away it looks from. */
  fadeFrom(distance: number): void {
    const fog = this.scene.fog as THREE.Fog;
    fog.near = FOG.near + distance;
    fog.far = FOG.far + 2 * distance;
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }
}

function drawsInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return true;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(name);
}
