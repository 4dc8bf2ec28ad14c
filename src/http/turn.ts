import type { FairQueue } from './fair-queue.js';

/** The queue slot of one request: taken once, released while the request only waits, and for good when it ends. */
export class Turn {
  private asked: Promise<void> | undefined;
  private hasBegun = false;
  private pauses = 0;
  private isOver = false;

  constructor(
    private readonly queue: FairQueue,
    private readonly owner: string,
  ) {}

  /** @returns undefined when it has begun, else a promise of it, which rejects with TurnRefusedError */
  take(caller: { readonly isGone: boolean }): Promise<void> | undefined {
    if (this.hasBegun) return undefined;
    if (this.asked) return this.asked;
    const isOver = (): boolean => this.isOver;
    const wanted = {
      get isGone() {
        return isOver() || caller.isGone; // the request was refused for another reason meanwhile
      },
    };
    const turn = this.queue.enter(this.owner, wanted);
    if (turn) return (this.asked = turn.then(() => this.begin()));
    this.begin();
    return undefined;
  }

  pause(): void {
    if (this.pauses++ === 0 && this.hasBegun && !this.isOver) this.queue.leave(this.owner);
  }

  /** Takes a slot even when none is free: a request that has begun must end. */
  resume(): void {
    if (--this.pauses === 0 && this.hasBegun && !this.isOver) this.queue.resume(this.owner);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.hasBegun && this.pauses === 0) this.queue.leave(this.owner);
  }

  private begin(): void {
    this.hasBegun = true;
    if (this.isOver || this.pauses > 0) this.queue.leave(this.owner);
  }
}
