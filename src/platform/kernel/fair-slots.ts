import { Counts } from './counts.js';

/** Slots that callers share. A caller with n slots needs n + 1 free ones, so that several busy callers still leave some to the others. */
export class FairSlots {
  private readonly taken = new Counts();

  constructor(private readonly max: number) {}

  get free(): number {
    return this.max - this.taken.total;
  }

  /** The callers that get no slot now. Every caller, if none is free. */
  get refused(): string[] {
    return this.taken.keys.filter((caller) => this.taken.of(caller) >= this.free);
  }

  /** @returns a function that gives the slot back, to be called once; undefined if there is none for this caller */
  take(caller: string): (() => void) | undefined {
    if (this.taken.of(caller) >= this.free) return undefined;
    this.taken.add(caller, 1);
    return () => this.taken.add(caller, -1);
  }
}
