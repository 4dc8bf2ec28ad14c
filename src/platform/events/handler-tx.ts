import { isConnectionSpent, type Tx } from '../database/index.js';

/** Marks an error of a handler or a reader, as opposed to one of Sluice's own statements. */
export class HandlerError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The transaction of a handler: it ends with the handler, and knows whether its session was lost. */
export class HandlerTx implements Tx {
  isLost = false;
  /** The first statement that failed: PostgreSQL accepts no other one after it, also if the handler catches the error. */
  failure: Error | undefined;
  private isOver = false;

  constructor(private readonly tx: Tx) {}

  async query<Row>(...[statement, values]: Parameters<Tx['query']>): Promise<Row[]> {
    if (this.isOver) throw new Error('The transaction of this event has ended');
    try {
      return await this.tx.query<Row>(statement, values);
    } catch (error) {
      this.isLost ||= isConnectionSpent(error);
      this.failure ??= error as Error;
      throw error;
    }
  }

  end(): void {
    this.isOver = true;
  }
}
