import type { CharacterFile, CharacterHeader, Item, MeshHeader } from "./messages";
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
  private readonly failures = new Set<string>();

  constructor(
    private readonly studio: Studio,
    private readonly server: Server,
  ) {
    studio.documentChanged.on(() => this.forgetOld());
  }

  /** The character that clips are shown on; null for the mannequin and for sticks. */
  get chosen(): CharacterFile | null {
    const { characters, figure } = this.studio.document;
    return characters.find(({ id }) => id === figure) ?? null;
  }

  /** The mannequin of a clip's skeleton; null while it is fetched, or if the skeleton is no person's. */
  mannequin(item: Item): Skin | null {
    const name = this.studio.motion(item.id)?.header.mannequin;
    return name ? this.skin(`mannequin ${name}`, `./api/mannequins/${item.id}`) : null;
  }

  /** The mesh of a character; null while it is fetched. */
  mesh(character: CharacterFile): Skin | null {
    return this.skin(`character ${character.path}`, `./api/characters/${character.id}/mesh`, character);
  }

  /** The motion of a clip on a character; null while it is computed, or where it cannot be. */
  motion(item: Item, character: CharacterFile): Motion<CharacterHeader> | null {
    const own = this.studio.motion(item.id);
    if (!own) return null;
    const key = motionKey(own.key, character);
    const known = this.motions.get(key);
    if (known !== undefined) return known;
    this.motions.set(key, null);
    const path = `./api/characters/${character.id}/clips/${item.id}`;
    this.server.pack<CharacterHeader>(path).then(
      ({ header, arrays }) => {
        this.motions.set(key, new Motion(key, header, arrays));
        this.changed.emit();
      },
      (error: unknown) => {
        this.motions.delete(key);
        this.fail(key, item.id, error);
      },
    );
    return null;
  }

  private skin(key: string, path: string, character: CharacterFile | null = null): Skin | null {
    const known = this.skins.get(key);
    if (known !== undefined) return known;
    this.skins.set(key, null);
    this.fetchSkin(key, path, character).then(
      (skin) => {
        this.skins.set(key, skin);
        this.changed.emit();
      },
      (error: unknown) => {
        if (error instanceof OutdatedError)
          this.skins.delete(key); // it may come back by an undo
        else this.fail(key, null, error);
      },
    );
    return null;
  }

  private async fetchSkin(key: string, path: string, character: CharacterFile | null): Promise<Skin> {
    const pack = await this.server.pack<MeshHeader>(path);
    const textures = new Map<number, ImageBitmap>();
    for (const [material, { textured }] of pack.header.materials.entries()) {
      if (!textured || !character) continue;
      try {
        const image = await this.server.blob(`./api/characters/${character.id}/textures/${material}`);
        textures.set(material, await createImageBitmap(image, { colorSpaceConversion: "none" }));
      } catch {
        this.studio.say(`a texture of ${character.name} cannot be decoded: its plain colour is shown`);
      }
    }
    return { key, pack, textures };
  }

  /** Say once what could not be had; a mannequin is replaced by a plain figure without a word. */
  private fail(key: string, item: string | null, error: unknown): void {
    if (this.failures.has(key) || key.startsWith(MANNEQUIN)) return;
    this.failures.add(key);
    if (item) this.studio.sayErrorAbout(item, error);
    else this.studio.sayError(error);
  }

  /** Drop motions that no clip has any more. */
  private forgetOld(): void {
    const chosen = this.chosen;
    const wanted = new Set<string>();
    for (const { id } of this.studio.document.items) {
      const own = this.studio.motion(id);
      if (own && chosen) wanted.add(motionKey(own.key, chosen));
    }
    for (const [key, motion] of this.motions) if (motion && !wanted.has(key)) this.motions.delete(key);
  }
}

function motionKey(clip: string, { path, joint_map }: CharacterFile): string {
  return `${clip} ${path} ${JSON.stringify(joint_map)}`;
}
