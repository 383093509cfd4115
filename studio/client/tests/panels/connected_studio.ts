import { vi } from "vitest";
import type { ClipHeader, Edit, FromServer, Item, Recipe } from "../../src/core/messages";
import { Motion } from "../../src/core/motion";
import { Studio } from "../../src/core/studio";

/** A page whose panels are all in view, what it sent, and what the server tells it. */
export interface ConnectedStudio {
  studio: Studio;
  edits: Edit[];
  hear: (message: object) => void;
  /** Show these clips as the document. */
  show: (...items: Item[]) => void;
  /** Tell that a clip was computed, and wait until the page has its motion. */
  finish: (id: string, nFrames?: number) => Promise<void>;
}

export function connectStudio(): ConnectedStudio {
  const edits: Edit[] = [];
  class Socket {
    static readonly OPEN = 1;
    readonly readyState = 1;
    send(text: string): void {
      const { edit } = JSON.parse(text) as { edit?: Edit };
      if (edit) edits.push(edit);
    }
  }
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { href: "http://127.0.0.1/" });
  Object.defineProperty(HTMLElement.prototype, "offsetParent", { configurable: true, get: () => document.body });
  document.body.replaceChildren();
  const studio = new Studio("token");
  const hear = (message: object): void => studio.connection.received.emit(message as FromServer);
  let version = 0;
  return {
    studio,
    edits,
    hear,
    show: (...items) => hear({ type: "state", document: { items, characters: [], figure: "sticks" } }),
    finish: async (id, nFrames = 10) => {
      const key = `${id} ${version++}`;
      const header = { n_frames: nFrames, fps: 30, names: ["hips"], cyclic: false } as ClipHeader;
      const motion = new Motion(key, header, { positions: { shape: [0], values: new Float32Array() } });
      vi.spyOn(studio.server, "motion").mockResolvedValue(motion);
      hear({ type: "finished", item: id, key });
      await settle();
    },
  };
}

/** Wait until everything that was answered has been shown. */
export function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

/** A clip of a document. */
export function clip(id: string, fields: Partial<Item> = {}): Item {
  const recipe = { type: "file", file: `${id}.bvh` } as unknown as Recipe;
  const edit = { repair: false, smooth: null, root_motion: null, travel: null } as Item["edit"];
  return { id, name: id, folder: "", recipe, edit, marks: null, visible: true, colour: 0, ...fields };
}

/** The button with this text or label. */
export function buttonOf(box: HTMLElement, name: string): HTMLButtonElement {
  const buttons = [...box.querySelectorAll("button")];
  const found = buttons.find((button) => (button.getAttribute("aria-label") ?? button.textContent) === name);
  if (!found) throw new Error(`no button ${name} among ${buttons.map((button) => button.textContent).join(", ")}`);
  return found;
}

/** The input of a labelled field. */
export function inputOf(box: HTMLElement, label: string): HTMLInputElement {
  const fields = [...box.querySelectorAll("label")];
  return fields.find((field) => field.textContent?.startsWith(label))!.querySelector("input")!;
}

/** Type into a field and leave it. */
export function type(input: HTMLInputElement, text: string): void {
  input.value = text;
  input.dispatchEvent(new Event("change"));
}
