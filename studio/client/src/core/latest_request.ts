import { OutdatedError } from "./server";

/** How often in a row a question is asked again whose subject changed while it was answered. */
const MAX_OUTDATED = 3;

/** What is asked, and what happens with the answer. */
export interface RequestOptions<Answer> {
  /** Identifies everything that the answer depends on; null asks for nothing. */
  key: () => string | null;
  /** What the answer is about. Answers come late: one about something else is dropped, one about an earlier state of the
   * same is received while the next is asked for. */
  subject?: () => string | null;
  ask: () => Promise<Answer>;
  receive: (answer: Answer) => void;
  fail: (error: unknown) => void;
  /** Told when a request starts and when the last one has been answered. */
  busy?: (isBusy: boolean) => void;
}

/** Asks the server again whenever the key has changed: one request at a time, until the latest key is answered. */
export class LatestRequest<Answer> {
  private answeredKey: string | null = null;
  private askedKey: string | null = null;
  private isRunning = false;
  /** Whether the key was another one for a while since the running request was sent. */
  private hasChanged = false;

  constructor(private readonly options: RequestOptions<Answer>) {}

  /** Ask, unless the present key is already answered or a request is running, which will notice the new key. */
  async update(): Promise<void> {
    const { key, subject, ask, receive, fail, busy } = this.options;
    if (this.isRunning) {
      this.hasChanged ||= key() !== this.askedKey;
      return;
    }
    let wanted = key();
    if (wanted === null) this.answeredKey = null;
    if (wanted === null || wanted === this.answeredKey) return;
    this.isRunning = true;
    let outdated = 0;
    busy?.(true);
    while (wanted !== null && wanted !== this.answeredKey) {
      this.askedKey = wanted;
      this.hasChanged = false;
      const asked = subject?.();
      try {
        const answer = await ask();
        // After an undo and a redo the key is the same again, but the server may have answered for what was in between.
        const isDoubtful = this.hasChanged && key() === wanted;
        const isReceived = !isDoubtful && asked === subject?.();
        this.answeredKey = isReceived ? wanted : null;
        if (isReceived) receive(answer);
      } catch (error) {
        this.answeredKey = null;
        // A clip that was removed and added again has the same key as before.
        const isOutdated = error instanceof OutdatedError && ++outdated <= MAX_OUTDATED;
        if (!isOutdated && asked === subject?.()) fail(error);
        if (!isOutdated && key() === wanted) break; // asked again after the next change
      }
      wanted = key();
    }
    this.isRunning = false;
    busy?.(false);
  }
}
