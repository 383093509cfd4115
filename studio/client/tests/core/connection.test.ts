import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection } from "../../src/core/connection";
import { type EventMark, type FromServer, MAX_CHARACTERS } from "../../src/core/messages";

/** A socket that is open, and what was sent over it. */
class Socket {
  static readonly OPEN = 1;
  static latest: Socket;
  readonly readyState = 1;
  readonly sent: string[] = [];
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor() {
    Socket.latest = this;
  }

  send(text: string): void {
    this.sent.push(text);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { href: "http://127.0.0.1/" });
});
afterEach(() => vi.useRealTimers());

function connect() {
  const connection = new Connection("token");
  const heard: FromServer[] = [];
  connection.received.on((message) => heard.push(message));
  return { connection, heard, socket: Socket.latest };
}

test("a change that is longer than the server reads is refused without sending it", () => {
  const { connection, heard, socket } = connect();
  const setMarks = (events: EventMark[]) => {
    const marks = { plants: [], events, edit: null };
    connection.send({ type: "do", serial: 7, edit: { type: "set_marks", item: "c1", marks }, gesture: null });
  };
  const event = { frame: 1.5, label: "x".repeat(1000), joint: "" };
  setMarks(new Array<EventMark>(2000).fill(event));
  expect([socket.sent.length, heard]).toEqual([1, []]);
  setMarks(new Array<EventMark>(Math.ceil(MAX_CHARACTERS / 1000)).fill(event));
  expect(socket.sent).toHaveLength(1);
  expect(heard).toMatchObject([{ type: "refused", serial: 7 }]);
  expect((heard[0] as { error: string }).error).toContain("24 MB");
});

test("the page says why the server closed the connection, if it does", () => {
  const { heard, connection, socket } = connect();
  const connected: boolean[] = [];
  connection.changed.on((is) => connected.push(is));
  socket.onclose!({ code: 1013, reason: "messages are not read: connect again" });
  const error = "the server closed the connection: messages are not read: connect again";
  expect(heard).toEqual([{ type: "refused", error, serial: null, steering: false }]);
  vi.runOnlyPendingTimers();
  Socket.latest.onclose!({ code: 1006, reason: "" });
  expect(heard).toHaveLength(1);
  expect(connected).toEqual([false, false]);
});
