const REPORT_EVERY_MS = 10_000;
const MAX_NAMED = 5;
const MAX_KEPT = 1_000;

/** Combines frequent events into few reports: the first event at once, then all later ones together, every REPORT_EVERY_MS. */
export class ThrottledReport {
  private readonly ids = new Set<string>();
  private isQuiet = false;
  private latest = '';

  /** @param report receives the ids, the first few by name, and the reason of the latest */
  constructor(private readonly report: (ids: string, because: string) => void) {}

  add(id: string, because = ''): void {
    if (this.ids.size < MAX_KEPT) this.ids.add(id);
    this.latest = because;
    if (!this.isQuiet) this.reportNow();
  }

  private reportNow(): void {
    this.isQuiet = this.ids.size > 0;
    if (!this.isQuiet) return;
    const named = [...this.ids].slice(0, MAX_NAMED).join(', ');
    const others = this.ids.size - MAX_NAMED;
    this.ids.clear();
    this.report(others > 0 ? `${named} and ${others} more` : named, this.latest);
    setTimeout(() => this.reportNow(), REPORT_EVERY_MS).unref();
  }
}
