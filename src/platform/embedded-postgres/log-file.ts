import { appendFileSync, renameSync, statSync } from 'node:fs';

const LIMIT_BYTES = 5_000_000;
const RECENT_CHARACTERS = 2_000;

/** PostgreSQL's log: two files of at most 5 MB, the older one with the suffix `.1`. Lines are rare, so it writes synchronously. */
export class LogFile {
  private bytes: number;
  private heard = '';

  constructor(private readonly path: string) {
    this.bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(text: string): void {
    this.heard = (this.heard + text).slice(-RECENT_CHARACTERS);
    try {
      this.keep(text);
    } catch {
      // A full disk must not end the process over a log line.
    }
  }

  /** The end of the log since `forgetRecent`, for an error message. */
  get recent(): string {
    return this.heard.trim();
  }

  forgetRecent(): void {
    this.heard = '';
  }

  private keep(text: string): void {
    if (this.bytes > LIMIT_BYTES) {
      renameSync(this.path, `${this.path}.1`);
      this.bytes = 0;
    }
    appendFileSync(this.path, text, { mode: 0o600 });
    this.bytes += Buffer.byteLength(text);
  }
}
