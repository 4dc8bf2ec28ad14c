import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFUSALS } from '../../src/money/payment/payment.refusals.js';
import { PROJECT } from '../support/server-process.js';

const FUNCTIONS = join(PROJECT, 'migrations/functions');
/** Results of `payment_begin` that are no refusals. */
const OTHER_RESULTS = ['settled', 'in_flight', 'pending', 'already_paid', 'again', 'needs_approval'];
/** SQL makes these of the name of a window or a flow; `reset_limit` stands for both sends after a reset. */
const COMPOSED = {
  _budget: ['daily', 'weekly', 'monthly', 'annual'],
  _limit: ['withdrawal', 'internal_send', 'convert', 'reset'],
};

const textOf = (path: string): string => readFileSync(path, 'utf8');

/** The literals that the functions which judge payments return. */
function verdictsIn(sql: string): string[] {
  const judging = /^(payment(_node|_freeze|_credential)?_verdict|dealer_verdict|payment_judge|payment_begin_result)\(/;
  const functions = sql.split(/^CREATE OR REPLACE FUNCTION /m).filter((text) => judging.test(text));
  return functions.flatMap((text) => [...text.matchAll(/\b(?:THEN|ELSE) '([a-z_]+)'/g)].map(([, code = '']) => code));
}

/** Refusals of this text that the table lacks. */
const unlisted = (sql: string): string[] => verdictsIn(sql).filter((code) => !(code in REFUSALS) && !OTHER_RESULTS.includes(code));

const SQL = readdirSync(FUNCTIONS)
  .map((name) => textOf(join(FUNCTIONS, name)))
  .join('\n');

describe('the refusals of payments', () => {
  it('have an entry for each literal that SQL verdicts return', () => {
    expect(verdictsIn(SQL).length).toBeGreaterThan(20);
    expect(unlisted(SQL)).toEqual([]);
  });

  it('have an entry for each limit and each budget', () => {
    for (const [suffix, names] of Object.entries(COMPOSED)) {
      expect(SQL).toContain(`|| '${suffix}'`);
      expect(Object.keys(REFUSALS).filter((reason) => reason.endsWith(suffix) && reason !== 'dealer_limit')).toEqual(
        names.map((name) => name + suffix),
      );
    }
  });

  it('have no entry that neither SQL nor a service returns', () => {
    const folder = join(PROJECT, 'src/money/payment');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('payment.refusals.ts'))
      .map((path) => textOf(join(folder, path)))
      .join('\n');
    const composed = Object.entries(COMPOSED).flatMap(([suffix, names]) => names.map((name) => name + suffix));
    const returned = new Set([...verdictsIn(SQL), ...composed, ...[...sources.matchAll(/'([a-z_]+)'/g)].map(([, code = '']) => code)]);
    expect(Object.keys(REFUSALS).filter((reason) => !returned.has(reason))).toEqual([]);
  });

  it('are not complete with a planted verdict', () => {
    expect(
      unlisted(`CREATE OR REPLACE FUNCTION payment_verdict(c x) RETURNS text AS $$ SELECT CASE WHEN c THEN 'planted' END $$;`),
    ).toEqual(['planted']);
  });
});
