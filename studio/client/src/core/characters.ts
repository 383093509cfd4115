import type { CharacterFile, CharacterHeader, Document, Item, MeshHeader } from "./messages";
import { Motion } from "./motion";
import type { Pack } from "./packs";
import { OutdatedError, type Server } from "./server";
import { Signal } from "./signal";
import type { Studio } from "./studio";

/** Figures that every project has, as the document names them. */
export const MANNEQUIN = "mannequin";
export const STICKS = "sticks";

/** A skinned mesh as the server sends it; `key` tells meshes apart. */
export interface Skin {
  key: string;
  pack: Pack<MeshHeader>;
  /** Textures by material; missing ones are drawn in the plain colour. */
  textures: Map<number, ImageBitmap>;
}

/** The meshes of mannequins and characters, and clips on characters: fetched when they are first needed. */
export class Characters {
  /** A mesh or a motion has arrived. */
  readonly changed = new Signal();
  private readonly skins = new Map<string, Skin | null>();
  private readonly motions = new Map<string, Motion<CharacterHeader> | null>();
  /** What could not be had, and is not asked for again before the server was away: it would fail again. */
  private readonly failures = new Set<string>();

  constructor(
    private readonly studio: Studio,
    private readonly server: Server,
  ) {
    studio.documentChanged.on(() => this.forgetOld());
    studio.connectionChanged.on((connected) => connected && this.retry());
  }

  /** The character that clips are shown on; null for the mannequin and for sticks. */
  get chosen(): CharacterFile | null {
    const { characters, figure } = this.studio.document;
    return characters.find(({ id }) => id === figure) ?? null;
  }

  /** The mannequin of a clip's skeleton; null while it is fetched, or if the skeleton is no person's. */
  mannequin(item: Item): Skin | null {
    const name = this.studio.motion(item.id)?.header.mannequin;
    return name ? this.skin(mannequinKey(name), `./api/mannequins/${item.id}`) : null;
  }

  /** The mesh of a character; null while it is fetched. */
  mesh(character: CharacterFile): Skin | null {
    return this.skin(meshKey(character), `./api/characters/${character.id}/mesh`, character);
  }

  /** The motion of a clip on a character; null while it is computed, or where it cannot be. */
  motion(item: Item, character: CharacterFile): Motion<CharacterHeader> | null {
    const own = this.studio.motion(item.id);
    if (!own) return null;
    const key = motionKey(own.key, character);
    const known = this.motions.get(key);
    if (known !== undefined) return known;
    this.motions.set(key, null);
    const asked = this.studio.document;
    const path = `./api/characters/${character.id}/clips/${item.id}?key=${own.key}`;
    this.server.pack<CharacterHeader>(path).then(
      ({ header, arrays }) => {
        this.motions.set(key, new Motion(key, header, arrays));
        this.changed.emit();
      },
      (error: unknown) => {
        if (this.noteFailure(this.motions, key, error, asked)) this.studio.sayErrorAbout(item.id, error);
      },
    );
    return null;
  }

  private skin(key: string, path: string, character: CharacterFile | null = null): Skin | null {
    const known = this.skins.get(key);
    if (known !== undefined) return known;
    this.skins.set(key, null);
    const asked = this.studio.document;
    this.fetchSkin(key, path, character).then(
      (skin) => {
        this.skins.set(key, skin);
        this.changed.emit();
      },
      (error: unknown) => {
        const isNew = this.noteFailure(this.skins, key, error, asked);
        if (isNew && character) this.studio.sayError(error); // a plain figure replaces a mannequin without a word
      },
    );
    return null;
  }

  private async fetchSkin(key: string, path: string, character: CharacterFile | null): Promise<Skin> {
    const pack = await this.server.pack<MeshHeader>(path);
    const textures = new Map<number, ImageBitmap>();
    for (const [material, { textured }] of pack.header.materials.entries()) {
      if (!textured || !character) continue;
      const image = await this.server.blob(`./api/characters/${character.id}/textures/${material}`);
      try {
        textures.set(material, await createImageBitmap(image, { colorSpaceConversion: "none" }));
      } catch {
        this.studio.say(`a texture of ${character.name} cannot be decoded: its plain colour is shown`);
      }
    }
    return { key, pack, textures };
  }

  /** Whether a skin is still needed: a clip or a character of the project has it. */
  has(skin: Skin): boolean {
    return this.skins.get(skin.key) === skin;
  }

  /** Remember what could not be had; false where it was removed or changed meanwhile, and is asked for again. */
  private noteFailure(values: Map<string, unknown>, key: string, error: unknown, asked: Document): boolean {
    if (!(error instanceof OutdatedError)) {
      this.failures.add(key);
      return true;
    }
    values.delete(key);
    // Otherwise the change is still to come, and makes the page ask.
    if (this.studio.document !== asked) this.changed.emit();
    return false;
  }

  /** Ask again for what could not be had: the server has been away, or is another one. */
  private retry(): void {
    if (this.failures.size === 0) return;
    for (const key of this.failures) {
      this.skins.delete(key);
      this.motions.delete(key);
    }
    this.failures.clear();
    this.changed.emit();
  }

  /** Drop motions and skins that no clip and no character has any more; what is on its way is dropped later. */
  private forgetOld(): void {
    const { chosen } = this;
    const wanted = new Set(this.studio.document.characters.map(meshKey));
    for (const { id } of this.studio.document.items) {
      const own = this.studio.motion(id);
      if (own?.header.mannequin) wanted.add(mannequinKey(own.header.mannequin));
      if (own && chosen) wanted.add(motionKey(own.key, chosen));
    }
    for (const kept of [this.skins, this.motions] as Map<string, unknown>[]) {
      for (const [key, value] of kept) {
        if (wanted.has(key) || (value === null && !this.failures.has(key))) continue;
        kept.delete(key);
        this.failures.delete(key);
      }
    }
  }
}

function meshKey({ path }: CharacterFile): string {
  return `character ${path}`;
}

function mannequinKey(skeleton: string): string {
  return `${MANNEQUIN} ${skeleton}`;
}

function motionKey(clip: string, { path, joint_map }: CharacterFile): string {
  return `${clip} ${path} ${JSON.stringify(joint_map)}`;
}
