import * as THREE from "three";
import { LatestRequest } from "../core/latest_request";
import type { StageObjects } from "../core/messages";
import type { Studio } from "../core/studio";
import { token } from "../core/theme";
import type { Figure } from "./figures";

/** Radius of the ball at a target, in metres. */
const TARGET_RADIUS = 0.03;

/** Stairs, blocks and hurdles that the selected warp crosses, and targets that its keys reach for. */
export class StageObjectsView {
  readonly group = new THREE.Group();
  private readonly box = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.75 });
  private readonly reached = new THREE.MeshBasicMaterial();
  private readonly missed = new THREE.MeshBasicMaterial();
  private item: string | null = null;
  private found: { key: string; objects: StageObjects } | null = null;
  private drawn: StageObjects | null = null;
  private readonly request: LatestRequest<StageObjects>;

  constructor(
    private readonly studio: Studio,
    changed: () => void,
  ) {
    this.request = new LatestRequest({
      key: () => this.key,
      subject: () => this.key,
      ask: () => studio.server.json<StageObjects>(`./api/stage-objects/${this.item!}`),
      receive: (objects) => {
        this.found = { key: this.key ?? "", objects };
        changed();
      },
      fail: () => (this.found = null), // the clip shows what is wrong with it
      busy: () => undefined,
    });
    this.recolour();
  }

  recolour(): void {
    this.box.color.set(token("--muted"));
    this.reached.color.set(token("--accent"));
    this.missed.color.set(token("--bad"));
  }

  /** Show the objects of a figure's clip, if it is a warp. */
  sync(figure: Figure | null, isOn: boolean): void {
    this.item = figure?.item.recipe.type === "warp" && isOn ? figure.item.id : null;
    if (this.item !== null) void this.request.update();
    const objects = this.item !== null && this.found?.key === this.key ? this.found.objects : null;
    if (figure) this.group.position.copy(figure.offset);
    if (objects === this.drawn) return;
    this.drawn = objects;
    this.clear();
    for (const { centre, size, yaw } of objects?.boxes ?? []) {
      const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size), this.box);
      mesh.position.fromArray(centre);
      mesh.rotation.y = yaw;
      mesh.receiveShadow = true;
      this.group.add(mesh);
    }
    for (const { position, reached } of objects?.targets ?? []) {
      const ball = new THREE.SphereGeometry(TARGET_RADIUS, 12, 8);
      const mesh = new THREE.Mesh(ball, reached ? this.reached : this.missed);
      mesh.position.fromArray(position);
      this.group.add(mesh);
    }
  }

  private get key(): string | null {
    return this.item === null ? null : `${this.item} ${this.studio.motion(this.item)?.key}`;
  }

  private clear(): void {
    for (const child of [...this.group.children]) {
      (child as THREE.Mesh).geometry.dispose();
      this.group.remove(child);
    }
  }
}
