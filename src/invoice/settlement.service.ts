import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { columnsOf, Database, Lane, type Statement } from '../database/index.js';
import { Events } from '../events/index.js';
import { LightningNode, type InvoiceSettlement } from '../lightning/index.js';

const SETTLE: Statement = { name: 'invoice_settle', text: 'SELECT invoice_settle($1, $2::bigint[], $3::text[], $4::numeric[]) AS codes' };
const CURSOR: Statement = { name: 'settlement_cursor', text: 'SELECT settle_index FROM settlement_cursor WHERE node_id = $1' };
const BATCH = 128;
const RETRY_MS = 500;

/**
 * Listens to the node for payments of our invoices and credits them, once each however often and by however many processes it is heard:
 * the cursor moves in the transaction that credits.
 */
@Injectable()
export class SettlementService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(SettlementService.name);
  private readonly stopping = new AbortController();
  private listening: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly lightning: LightningNode,
    private readonly events: Events,
  ) {}

  onApplicationBootstrap(): void {
    this.listening = this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.listening;
  }

  private async listen(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        const node = await this.lightning.info();
        if (node.status === 'ready') await this.follow(node.nodeId);
      } catch (error) {
        this.log.warn(`Settlements cannot be booked now: ${(error as Error).message}`);
      }
      await sleep(RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** From where we stopped, until the node is lost. What arrives while one batch is booked travels in the next. */
  private async follow(nodeId: string): Promise<void> {
    const lost = new AbortController();
    let failure: Error | undefined;
    const lane = new Lane<InvoiceSettlement, void>(
      async (batch) => {
        // The order must hold: once one batch has failed, nothing behind it may move the cursor past it.
        if (failure) throw failure;
        try {
          return await this.book(nodeId, batch);
        } catch (error) {
          failure = error as Error;
          lost.abort();
          throw error;
        }
      },
      { max: BATCH },
    );
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    for await (const settlement of this.lightning.invoiceSettlements(await this.cursorOf(nodeId), signal))
      lane.submit(settlement).catch(() => undefined);
    if (failure) throw failure;
  }

  private async book(nodeId: string, batch: readonly InvoiceSettlement[]): Promise<void[]> {
    const rows = await this.database.query<{ codes: string[] }>(SETTLE, [
      nodeId,
      ...columnsOf(batch, 'settleIndex', 'paymentHash', 'amountMsat'),
    ]);
    this.events.wake();
    rows[0]?.codes.forEach((code, index) => this.mention(code, batch[index]));
    return batch.map(() => undefined);
  }

  private mention(code: string, settlement: InvoiceSettlement | undefined): void {
    if (code === 'refused')
      this.log.error(
        `The node says that ${settlement?.amountMsat} msat were paid for ${settlement?.paymentHash} (settlement ${settlement?.settleIndex}), which cannot be booked: nothing was credited`,
      );
    if (code === 'credited_again')
      this.log.warn(`Invoice ${settlement?.paymentHash} was paid inside the house and over Lightning: both were credited`);
    if (code === 'unclaimed')
      this.log.error(`The node was paid ${settlement?.amountMsat} msat for an invoice nobody knows: ${settlement?.paymentHash}`);
  }

  private async cursorOf(nodeId: string): Promise<bigint> {
    const [row] = await this.database.query<{ settle_index: bigint }>(CURSOR, [nodeId]);
    return row?.settle_index ?? 0n;
  }
}
