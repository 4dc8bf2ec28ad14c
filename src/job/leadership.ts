/** Whether this process leads in a role. */
export class Leadership {
  private term: AbortController | undefined;
  private readonly wakes: (() => void)[] = [];

  /** Made by `Leaders`. */
  constructor(
    readonly role: string,
    private readonly report: (leads: boolean) => void,
  ) {}

  /** Aborted when the present term ends; undefined while this process does not lead. */
  get signal(): AbortSignal | undefined {
    return this.term?.signal;
  }

  onBegin(wake: () => void): void {
    this.wakes.push(wake);
  }

  set(leads: boolean): void {
    if (leads === (this.term !== undefined)) return;
    this.report(leads);
    const before = this.term;
    this.term = leads ? new AbortController() : undefined;
    before?.abort();
    if (leads) for (const wake of this.wakes) wake();
  }
}
