import { newReference } from '../kernel/reference.js';

/** A line of a key is written at most once in this time. */
export const REFUSALS = { everyMs: 60_000 };

interface Line {
  readonly at: number;
  readonly reference: string;
  requests: number;
}

/** Refusals that anybody can cause, at any rate: those of one key share a line, and its reference. A caller has few keys. */
export class RefusalLog {
  private readonly lines = new Map<string, Line>();

  /**
   * @param write logs the line: `requests` were refused since the one before, and `others` says so
   * @returns the reference of the line that reports this refusal, or one like it
   */
  note(key: string, write: (line: { readonly reference: string; readonly requests: number }, others: string) => void): string {
    const last = this.lines.get(key);
    const now = performance.now();
    if (last && now - last.at < REFUSALS.everyMs) {
      last.requests++;
      return last.reference;
    }
    const [reference, requests] = [newReference(), (last?.requests ?? 0) + 1];
    this.lines.set(key, { at: now, reference, requests: 0 });
    write({ reference, requests }, requests > 1 ? `, and ${requests - 1} more since the last line` : '');
    return reference;
  }
}
