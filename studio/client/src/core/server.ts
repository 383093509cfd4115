import type { ClipHeader, ErrorResponse, FileFormats, Quality, UploadedFile } from "./messages";
import { Motion } from "./motion";
import { type Pack, unpack } from "./packs";

/** What an export changes about a clip, as the server names it; what is left out stays as it is. */
export type ExportSettings = Partial<Record<"first" | "last" | "fps" | "unit" | "up", string>>;

/** A failed request; the message is a sentence for the user. */
export class RequestError extends Error {}

/** The request was about something that has been removed or changed meanwhile, of which the page hears anyway. */
export class OutdatedError extends RequestError {}

/** The status of an answer to a question whose subject is gone. */
const NOTHING_LEFT = 204;

/** Requests over HTTP; each carries the token that the page was opened with. */
export class Server {
  private knownFormats: Promise<FileFormats> | undefined;

  /** Questions about clips wait for `ready` first. */
  constructor(
    private readonly token: string,
    private readonly ready: () => Promise<void>,
  ) {}

  async motion(key: string): Promise<Motion> {
    const response = await this.request(`./api/clips/${key}`);
    return Motion.of(key, unpack<ClipHeader>(await response.arrayBuffer()));
  }

  /** Upload a file to the project; returns its path there and what it holds. */
  async upload(file: File, signal: AbortSignal): Promise<UploadedFile> {
    const response = await this.request(`./api/files?name=${encodeURIComponent(file.name)}`, {
      method: "POST",
      body: file,
      signal,
    });
    return (await response.json()) as UploadedFile;
  }

  /** The file types that can be added and exported. */
  formats(): Promise<FileFormats> {
    this.knownFormats ??= this.json<FileFormats>("./api/formats").catch((error: unknown) => {
      this.knownFormats = undefined; // asked again next time
      throw error;
    });
    return this.knownFormats;
  }

  /** Export a clip as a file of one of the formats, on its own skeleton ("source"), with a mannequin or on a character;
   * notes say what of the clip the file does not keep. */
  async exportClip(
    item: string,
    format: string,
    figure: string,
    settings: ExportSettings,
    job: string,
    signal: AbortSignal,
  ): Promise<{ file: File; notes: string[] }> {
    const query = new URLSearchParams({ format, figure, job, ...settings });
    const response = await this.ask(`./api/exports/${item}?${query}`, { method: "POST", signal });
    const file = new File([await response.blob()], fileName(response) ?? `clip.${format}`);
    return { file, notes: JSON.parse(response.headers.get("X-Motionloom-Notes") ?? "[]") as string[] };
  }

  /** Stop an export that goes on. */
  async stopExport(job: string): Promise<void> {
    await this.request(`./api/export-jobs/${job}`, { method: "DELETE" });
  }

  /** The Python script or the commands that reproduce a clip. */
  async script(
    item: string,
    language: "python" | "commands",
    format: string,
    settings: ExportSettings,
  ): Promise<string> {
    const query = new URLSearchParams({ language, format, ...settings });
    return (await this.ask(`./api/scripts/${item}?${query}`)).text();
  }

  /** All notes on a clip, also those that were not looked for before it was shown. */
  async notes(item: string): Promise<string[]> {
    return (await this.ask(`./api/notes/${item}`)).json() as Promise<string[]>;
  }

  async quality(item: string): Promise<Quality> {
    return (await this.ask(`./api/quality/${item}`)).json() as Promise<Quality>;
  }

  /** Any other request that is answered with JSON. */
  async json<T>(path: string): Promise<T> {
    return (await this.ask(path)).json() as Promise<T>;
  }

  /** Any other request that is answered with a file. */
  async blob(path: string): Promise<Blob> {
    return (await this.ask(path)).blob();
  }

  /** Any other request that is answered with a pack. */
  async pack<Header>(path: string): Promise<Pack<Header>> {
    return unpack<Header>(await (await this.ask(path)).arrayBuffer());
  }

  private async ask(path: string, init: RequestInit = {}): Promise<Response> {
    await this.ready();
    return this.request(path, init);
  }

  private async request(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path, { ...init, headers: { "X-Motionloom-Token": this.token } });
    } catch {
      throw new RequestError("the server does not respond; is `motionloom studio` still running?");
    }
    if (!response.ok) {
      const body = (await response.json().catch(() => null)) as ErrorResponse | null;
      throw new RequestError(body?.error ?? `the server answered ${response.status}`);
    }
    if (response.status === NOTHING_LEFT) throw new OutdatedError("it has changed meanwhile");
    return response;
  }
}

/** The file name of a response; names beyond ASCII are percent-encoded. */
function fileName(response: Response): string | null {
  const header = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(header)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/i.exec(header)?.[1] ?? null);
}
