/** Slots that callers share. A caller with n slots needs n + 1 free ones, so that several busy callers still leave some to the others. */
export class FairSlots {
  private taken = 0;
  private readonly byCaller = new Map<string, number>();

  constructor(private readonly max: number) {}

  get free(): number {
    return this.max - this.taken;
  }

  /** The callers that get no slot now. Every caller, if none is free. */
  get refused(): string[] {
    return [...this.byCaller].filter(([, own]) => own >= this.free).map(([caller]) => caller);
  }

  /** @returns a function that gives the slot back, to be called once; undefined if there is none for this caller */
  take(caller: string): (() => void) | undefined {
    if ((this.byCaller.get(caller) ?? 0) >= this.free) return undefined;
    this.count(caller, 1);
    return () => this.count(caller, -1);
  }

  private count(caller: string, by: 1 | -1): void {
    this.taken += by;
    const own = (this.byCaller.get(caller) ?? 0) + by;
    if (own > 0) this.byCaller.set(caller, own);
    else this.byCaller.delete(caller);
  }
}
