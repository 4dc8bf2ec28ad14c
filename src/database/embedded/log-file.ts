import { appendFileSync, renameSync, statSync } from 'node:fs';

const LIMIT_BYTES = 5_000_000;
const RECENT_CHARACTERS = 2_000;

/** What PostgreSQL says: kept in two files of at most 5 MB, the older one with `.1` at its end. It speaks rarely, so this may write at once. */
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
      // A full disk is no reason to end the process that is told about it.
    }
  }

  /** The end of what was said since `forgetRecent`, for an error message. */
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
