import type { FairQueue } from './fair-queue.js';
import { Turn } from './turn.js';

/**
 * The files that one request or operation has made: one after the other, in one turn of its owner. It keeps the turn until it ends, because
 * its response contains the files until then: so a bound of turns is a bound of memory, whatever the number of connections.
 */
export class FileTurn {
  private turn: Turn | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private making = 0;
  private isOver = false;

  constructor(
    private readonly queue: FairQueue,
    private readonly owner: string,
  ) {}

  /** @throws TurnRefusedError */
  make<T>(caller: { readonly isGone: boolean }, make: () => Promise<T>): Promise<T> {
    this.making++;
    const made = this.last.then(() => this.inTurn(caller, make)).finally(() => this.leave());
    this.last = made.catch(() => undefined);
    return made;
  }

  /** The request is answered. A file that is still in the making keeps the turn, since an error elsewhere may end a request early. */
  end(): void {
    this.isOver = true;
    this.release();
  }

  private async inTurn<T>(caller: { readonly isGone: boolean }, make: () => Promise<T>): Promise<T> {
    this.turn ??= new Turn(this.queue, this.owner);
    await this.turn.take(caller);
    return make();
  }

  private leave(): void {
    this.making--;
    this.release();
  }

  private release(): void {
    if (!this.isOver || this.making > 0) return;
    this.turn?.end();
    this.turn = undefined;
  }
}
