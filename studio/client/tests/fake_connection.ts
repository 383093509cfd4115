import type { FromPage, FromServer } from "../src/core/messages";
import { Signal } from "../src/core/signal";

/** A connection to no server, and what was sent over it. */
export function fakeConnection() {
  const sent: FromPage[] = [];
  const connection = {
    connected: true,
    received: new Signal<FromServer>(),
    receivedBinary: new Signal<ArrayBuffer>(),
    changed: new Signal<boolean>(),
    send(message: FromPage): boolean {
      if (this.connected) sent.push(message);
      return this.connected;
    },
  };
  return { connection, sent };
}

/** A pose of live control as the server packs it, without joints. */
export function packPose(serial: number, weights: number[]): ArrayBuffer {
  const header = { serial, time: serial, u: 0, weights, finished: false, speed: null, turn: null };
  const text = JSON.stringify({ header, arrays: [{ name: "positions", shape: [0, 3] }] });
  const bytes = new TextEncoder().encode(text.padEnd(4 * Math.ceil(text.length / 4)));
  const pack = new Uint8Array(4 + bytes.length);
  new DataView(pack.buffer).setUint32(0, bytes.length, true);
  pack.set(bytes, 4);
  return pack.buffer;
}
