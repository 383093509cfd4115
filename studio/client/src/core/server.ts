import type { ClipHead, Problem, Quality } from "./messages";
import { Motion } from "./motion";
import { unpack } from "./packs";

/** What goes wrong with a request, as a sentence that can be shown. */
export class RequestError extends Error {}

/** Requests over HTTP; every one carries the token that the page was opened with. */
export class Server {
  constructor(private readonly token: string) {}

  async motion(key: string): Promise<Motion> {
    const response = await this.request(`./api/clips/${key}`);
    return Motion.of(key, unpack<ClipHead>(await response.arrayBuffer()));
  }

  /** Put a file into the project; the answer is its path there. */
  async upload(file: File): Promise<string> {
    const response = await this.request(`./api/files?name=${encodeURIComponent(file.name)}`, {
      method: "POST",
      body: file,
    });
    return ((await response.json()) as { path: string }).path;
  }

  /** The clip as a file of a format: "bvh", "glb", "usdc", "npz", "gif", "mp4". */
  async exported(item: string, format: string): Promise<File> {
    const response = await this.request(`./api/exports/${item}?format=${format}`, { method: "POST" });
    return new File([await response.blob()], fileName(response) ?? `clip.${format}`);
  }

  /** What makes the clip again: a Python script or commands. */
  async script(item: string, language: "python" | "commands", format: string): Promise<string> {
    const response = await this.request(`./api/scripts/${item}?language=${language}&format=${format}`);
    return response.text();
  }

  async quality(item: string): Promise<Quality> {
    return (await this.request(`./api/quality/${item}`)).json() as Promise<Quality>;
  }

  /** Any other request that answers with JSON. */
  async json<T>(path: string): Promise<T> {
    return (await this.request(path)).json() as Promise<T>;
  }

  /** Any other request that answers with a pack. */
  async pack<Head>(path: string) {
    return unpack<Head>(await (await this.request(path)).arrayBuffer());
  }

  private async request(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path, { ...init, headers: { "X-Motionloom-Token": this.token } });
    } catch {
      throw new RequestError("the studio's server does not answer: is `motionloom studio` still running?");
    }
    if (!response.ok) {
      const problem = (await response.json().catch(() => null)) as Problem | null;
      throw new RequestError(problem?.error ?? `the server answered ${response.status}`);
    }
    return response;
  }
}

/** The name that an answer gives to its file; names beyond plain letters come in percent signs. */
function fileName(response: Response): string | null {
  const words = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(words)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/i.exec(words)?.[1] ?? null);
}
