import { MAX_CHARACTERS, type FromPage, type FromServer } from "./messages";
import { Signal } from "./signal";

/** Milliseconds before the first attempt to reconnect, and at most between later ones. */
const FIRST_WAIT = 250;
const MAX_WAIT = 4000;

const TOO_LONG =
  `this change takes more than ${MAX_CHARACTERS / 1024 ** 2} MB, so it was not made; ` +
  "cut the clip into shorter ones and change those";

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

  /** Send a message; false if there is no connection. One that is too long is refused here, as the server would close the
   * connection over it. */
  send(message: FromPage): boolean {
    if (!this.connected) return false;
    const text = JSON.stringify(message);
    if (text.length > MAX_CHARACTERS) this.refuse(TOO_LONG, message.type === "do" ? message.serial : null);
    else this.socket!.send(text);
    return true;
  }

  private refuse(error: string, serial: number | null): void {
    this.received.emit({ type: "refused", error, serial, steering: false });
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
    socket.onclose = ({ reason }) => {
      if (this.socket !== socket) return;
      if (reason) this.refuse(`the server closed the connection: ${reason}`, null);
      this.changed.emit(false);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, MAX_WAIT);
    };
    this.socket = socket;
  }
}
