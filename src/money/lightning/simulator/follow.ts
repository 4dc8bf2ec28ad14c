import { sql } from '../../../platform/database/index.js';
import type { Tick } from './ticker.js';
import type { FinalRow, NodeName, SimulatorStore } from './simulator.store.js';

const TAKE_DISCONNECT = sql`UPDATE simulator.payment SET faults = faults - 'disconnect' WHERE id = $1 AND faults ? 'disconnect' RETURNING id`;

interface Late {
  readonly row: FinalRow;
  readonly at: number;
}

/**
 * The payments of a node that ended after `afterIndex`, then those that end from now on, with the faults of a stream: repeated, delayed,
 * broken off. Ends on `signal`, and when the simulator's tables cannot be read.
 */
export async function* follow(store: SimulatorStore, payer: NodeName, afterIndex: bigint, signal: AbortSignal): AsyncGenerator<FinalRow> {
  const late: Late[] = [];
  let cursor = afterIndex;
  /** The node's count and its restores at the last poll. */
  let last = 0n;
  let restores: number | undefined;
  while (!signal.aborted) {
    const page = await store.listFinals(payer, cursor).catch(() => undefined);
    if (!page) return;
    for (const row of page) {
      if (row.faults.disconnect && (await takeDisconnect(store, row))) return;
      if (signal.aborted) return;
      cursor = row.final_index;
      // The settle index is a cursor: only outcomes may come out of order.
      if (payer === 'ours' && row.faults.eventDelayMs) late.push({ row, at: Date.now() + row.faults.eventDelayMs });
      else yield* repeated(row);
    }
    for (const { row } of takeDue(late)) yield* repeated(row);
    if (page.length > 0) continue;
    // Until there is something to yield, or the count or the node has changed.
    let tick: Tick | undefined;
    do tick = await store.ticker.next(signal);
    while (tick && tick.restores === restores && tick.last[payer] === last && last <= cursor && !late.some(isDue));
    // A node that was restored has lost its subscribers.
    if (!tick || tick.restores !== (restores ?? tick.restores)) return;
    last = tick.last[payer];
    restores = tick.restores;
  }
}

function* repeated(row: FinalRow): Generator<FinalRow> {
  yield row;
  if (row.faults.duplicateEvent) yield row;
}

/** Happens once: the next subscription continues after it. */
const takeDisconnect = ({ database }: SimulatorStore, { id }: FinalRow): Promise<boolean> =>
  database.query(TAKE_DISCONNECT, [id]).then(
    ({ length }) => length > 0,
    () => true,
  );

const isDue = ({ at }: Late): boolean => at <= Date.now();

function takeDue(late: Late[]): Late[] {
  const due = late.filter(isDue);
  late.splice(0, late.length, ...late.filter((event) => !due.includes(event)));
  return due;
}
