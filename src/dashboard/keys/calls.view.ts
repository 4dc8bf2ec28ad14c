import type { CallRow } from '../../access/call/index.js';
import { exact, html, outsideText, table, type Html } from '../../edge/page/index.js';
import { card } from '../layout.js';

/** The latest calls of an API key, for its owner. */
export function callsCard(calls: readonly CallRow[]): Html {
  const rows = calls.map(({ at, operation, outcome, cost }) => [
    exact(at),
    html`<code>${outsideText(operation)}</code>`,
    outcome,
    String(cost ?? 0),
  ]);
  const list = table({ caption: 'Recent calls', columns: ['Time', 'Operation', 'Outcome', 'Cost'], rows });
  const sub = 'The latest 100 calls. Limits count a call once for each 2,000 of its cost.';
  return card('Recent calls', calls.length > 0 ? list : html`<p>No calls.</p>`, { sub });
}
