export interface AdmissionOptions {
  /** Limit on all slots, for a key that has none yet. */
  readonly all: number;
  /** From this total on, no key gets a second slot. */
  readonly shared: number;
  readonly each: number;
}

/** Admission: one slot for any key, more only while there are enough. Requests by a few keys never exclude another key. */
export class AdmissionLimit {
  private readonly taken = new Map<string, number>();
  private total = 0;

  constructor(private readonly options: AdmissionOptions) {}

  /** @returns releases the slot, to be called once; undefined: no slot is free */
  take(key: string): (() => void) | undefined {
    const own = this.taken.get(key) ?? 0;
    const { all, shared, each } = this.options;
    if (own === 0 ? this.total >= all : this.total >= shared || own >= each) return undefined;
    this.taken.set(key, own + 1);
    this.total++;
    return () => {
      this.total--;
      const left = (this.taken.get(key) ?? 1) - 1;
      if (left > 0) this.taken.set(key, left);
      else this.taken.delete(key);
    };
  }
}
