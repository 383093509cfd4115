import type { FromPage, FromServer } from "./messages";
import { Signal } from "./signal";

/** Milliseconds before the first attempt to reconnect, and at most between later ones. */
const FIRST_WAIT = 250;
const MAX_WAIT = 4000;

/** The WebSocket to the server; reconnects by itself when the connection is lost. */
export class Connection {
  readonly received = new Signal<FromServer>();
  readonly receivedBinary = new Signal<ArrayBuffer>();
  readonly changed = new Signal<boolean>();
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;

  constructor(private readonly token: string) {
    this.open();
  }

  get connected(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Send a message; false if there is no connection. */
  send(message: FromPage): boolean {
    if (!this.connected) return false;
    this.socket!.send(JSON.stringify(message));
    return true;
  }

  private open(): void {
    const address = new URL(`./ws?token=${encodeURIComponent(this.token)}`, location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.changed.emit(true);
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.receivedBinary.emit(data);
      else this.received.emit(JSON.parse(data as string) as FromServer);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.changed.emit(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, MAX_WAIT);
    };
    this.socket = socket;
  }
}
