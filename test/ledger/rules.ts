import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { guarding } from './rules-of-failure.js';
import {
  BTC,
  capture,
  DEALER_BTC,
  DEALER_USD,
  FEES,
  hold,
  LIGHTNING,
  LOSS,
  MAX,
  post,
  release,
  USD,
  LedgerFixture,
  type Leg,
  type Op,
  type Rule,
} from './ledger-fixture.js';

const NOBODY = 404n;

const posting: Record<string, Rule> = {
  async 'a post moves money; one that is refused does not, and does not harm its neighbours'(fixture, { alice, bob }) {
    await fixture.fund(alice, 1000);
    const results = await fixture.apply([
      post([alice, -1001], [bob, 1001]),
      post([alice, -400], [bob, 390], [FEES, 10]),
      post([bob, -391], [alice, 391]),
    ]);
    assert.deepEqual(results, ['insufficient', 'ok', 'insufficient']);
    assert.deepEqual(await fixture.balances(alice, bob, FEES, LIGHTNING), [[600n, 0n], [390n, 0n], [10n, 0n], [-1000n, 0n]]); // prettier-ignore
  },
  async 'an operation sees what those before it in its batch did'(fixture, { alice, bob, carol }) {
    const results = await fixture.apply([
      post([LIGHTNING, -10], [alice, 10]),
      post([alice, -10], [bob, 10]),
      post([alice, -1], [carol, 1]),
      post([bob, -10], [carol, 10]),
    ]);
    assert.deepEqual(results, ['ok', 'ok', 'insufficient', 'ok']);
  },
  async 'entries: one for each journal and account, with the balance after it, except in hot accounts'(fixture, { alice, bob }) {
    await fixture.apply([
      post([LIGHTNING, -1000], [alice, 1000]),
      post([alice, -500], [alice, 100], [bob, 390], [FEES, 10]),
      post([LOSS, -7], [bob, 7]),
    ]);
    const entries = await fixture.rows(
      `SELECT account_id::int AS account, amount::int, balance_after::int AS after FROM ledger_entry ORDER BY journal_id, account_id`,
    );
    const expected = [[-1n, -1000, null], [alice, 1000, 1000], [-2n, 10, null], [alice, -400, 600], [bob, 390, 390], [-5n, -7, -7], [bob, 7, 397]]; // prettier-ignore
    assert.deepEqual(entries.map(({ account, amount, after }) => [account, amount, after]), expected.map(([account, ...rest]) => [Number(account), ...rest])); // prettier-ignore
  },
  async 'legs on one account are judged together'(fixture, { alice, bob, carol }) {
    await fixture.fund(alice, 100);
    assert.deepEqual(await fixture.apply([post([alice, -60], [alice, -60], [bob, 120])]), ['insufficient']);
    assert.deepEqual(await fixture.apply([post([alice, -150], [bob, 90], [alice, 60])]), ['ok'], 'it only ever goes down by 90');
    assert.deepEqual(await fixture.apply([post([alice, -5], [alice, 5])]), ['invalid'], 'nothing is left of it');
    assert.deepEqual(await fixture.apply([post([alice, -5], [alice, 5], [bob, -1], [carol, 1])]), ['ok'], 'what cancels out is no entry');
    assert.deepEqual(await fixture.balances(alice, bob, carol), [[10n, 0n], [89n, 0n], [1n, 0n]]); // prettier-ignore
  },
  async 'each currency balances by itself'(fixture, { alice, aliceUsd }) {
    await fixture.fund(alice, 1000);
    assert.deepEqual(await fixture.apply([post([alice, -7], [aliceUsd, 7])]), ['invalid']);
    assert.deepEqual(await fixture.apply([post([alice, -1000], [DEALER_BTC, 1000], [DEALER_USD, -7], [aliceUsd, 7])]), ['ok']);
    assert.deepEqual(await fixture.apply([post([aliceUsd, -8], [DEALER_USD, 8])]), ['insufficient']);
    assert.deepEqual(await fixture.apply([post([aliceUsd, -7], [DEALER_USD, 6], [DEALER_BTC, 1])]), ['invalid']);
  },
  async 'the order of legs has no effect'(fixture, { alice, bob }) {
    const legs: Leg[] = [[bob, 4], [LIGHTNING, -10], [alice, 6]]; // prettier-ignore
    const first = post(...legs);
    assert.deepEqual(await fixture.apply([first, { ...first, legs: [...legs].reverse() }]), ['ok', 'duplicate']);
  },
};

const holding: Record<string, Rule> = {
  async 'what is held is not available'(fixture, { alice, bob }) {
    await fixture.fund(alice, 100);
    assert.deepEqual(await fixture.apply([hold(alice, 101), hold(alice, 60), hold(alice, 41), post([alice, -41], [bob, 41]), post([alice, -40], [bob, 40])]), ['insufficient', 'ok', 'insufficient', 'insufficient', 'ok']); // prettier-ignore
    assert.deepEqual(await fixture.balances(alice), [[60n, 60n]]);
  },
  async 'a capture takes from the hold, and the rest is free again'(fixture, { alice, bob }) {
    await fixture.fund(alice, 1000);
    const h = hold(alice, 500);
    assert.deepEqual(await fixture.apply([h, capture(h.idem, [alice, -200], [bob, 290], [alice, -100], [FEES, 10])]), ['ok', 'ok']);
    assert.deepEqual(await fixture.balances(alice, bob, FEES), [[700n, 0n], [290n, 0n], [10n, 0n]]); // prettier-ignore
  },
  async 'a capture never exceeds its hold, whatever the balance'(fixture, { alice, bob }) {
    await fixture.fund(alice, 1000);
    const h = hold(alice, 100);
    assert.deepEqual(
      await fixture.apply([h, capture(h.idem, [alice, -101], [bob, 101]), capture(h.idem, [alice, -60], [alice, -41], [bob, 101])]),
      ['ok', 'hold_exceeded', 'hold_exceeded'],
    );
    assert.deepEqual(await fixture.apply([capture(h.idem, [alice, -100], [bob, 100])]), ['ok']);
    assert.deepEqual(await fixture.balances(alice, bob), [[900n, 0n], [100n, 0n]]); // prettier-ignore
  },
  async 'a capture works when the hold is all there is; its other accounts are judged as in a post'(fixture, { alice, bob, carol }) {
    await fixture.fund(alice, 100);
    const h = hold(alice, 100);
    assert.deepEqual(await fixture.apply([h, capture(h.idem, [alice, -100], [bob, -1], [carol, 101])]), ['ok', 'insufficient']);
    assert.deepEqual(
      await fixture.apply([capture(h.idem, [bob, -1], [carol, 1]), capture(h.idem, [alice, 5], [carol, -5])]),
      ['invalid', 'invalid'],
      'the held account must be debited',
    );
    assert.deepEqual(await fixture.apply([capture(h.idem, [alice, -100], [carol, 100])]), ['ok']);
  },
  async 'a hold ends once'(fixture, { alice, bob }) {
    await fixture.fund(alice, 1000);
    const [h, g] = [hold(alice, 100), hold(alice, 200)];
    const [taken, dropped] = [capture(h.idem, [alice, -100], [bob, 100]), release(g.idem)];
    assert.deepEqual(await fixture.apply([h, g, taken, dropped]), ['ok', 'ok', 'ok', 'ok']);
    assert.deepEqual(await fixture.apply([taken, dropped, h]), ['duplicate', 'duplicate', 'duplicate']);
    const again = [
      capture(h.idem, [alice, -1], [bob, 1]),
      release(h.idem),
      capture(g.idem, [alice, -1], [bob, 1]),
      release(g.idem),
      release(randomUUID()),
    ];
    assert.deepEqual(await fixture.apply(again), again.map(() => 'hold_not_open')); // prettier-ignore
    assert.deepEqual(await fixture.balances(alice), [[900n, 0n]]);
  },
  async 'a hold may be made and end in one batch'(fixture, { alice, bob }) {
    await fixture.fund(alice, 1000);
    const [h, g] = [hold(alice, 100), hold(alice, 200)];
    const take = capture(h.idem, [alice, -10], [bob, 10]);
    const results = await fixture.apply([
      take,
      h,
      take,
      take,
      release(h.idem),
      g,
      release(g.idem),
      release(g.idem),
      { ...h, legs: [[alice, -99]] },
    ]);
    assert.deepEqual(results, ['hold_not_open', 'ok', 'ok', 'duplicate', 'hold_not_open', 'ok', 'ok', 'hold_not_open', 'conflict']);
    assert.deepEqual(await fixture.balances(alice), [[990n, 0n]]);
    assert.deepEqual(await fixture.rows('SELECT state FROM ledger_hold ORDER BY state'), [{ state: 'captured' }, { state: 'voided' }]);
  },
};

const refusing: Record<string, Rule> = {
  async 'what is malformed is its own problem'(fixture, { alice, bob, aliceUsd }) {
    const good = (): Op & { idem: string } => post([LIGHTNING, -5], [alice, 5]);
    const h = hold(alice, 1);
    const bad: Op[] = [
      post(), post([alice, 5]), post([LIGHTNING, -5], [alice, 4]), post([LIGHTNING, 0], [alice, 0]), post([LIGHTNING, '-1.5'], [alice, '1.5']), post([LIGHTNING, null], [alice, 5]), post([null, -5], [alice, 5]),
      post([LIGHTNING, -5], [aliceUsd, 5]), { ...good(), idem: null }, { ...good(), kind: null }, { ...good(), op: 'steal' }, { ...good(), op: null }, { ...good(), hold: randomUUID() },
      hold(alice, -5), hold(alice, 0), hold(LIGHTNING, 5), { ...hold(alice, 1), legs: [] }, { ...hold(alice, 1), legs: [[alice, -1], [bob, -1]] }, { ...hold(alice, 1), hold: h.idem },
      { ...capture(h.idem, [alice, -1], [bob, 1]), hold: null }, capture(h.idem), capture(h.idem, [alice, -1]), { ...release(h.idem), hold: null }, { ...release(h.idem), legs: [[alice, 1]] },
    ]; // prettier-ignore
    assert.deepEqual(await fixture.apply([good(), h, ...bad, good()]), ['ok', 'ok', ...bad.map(() => 'invalid'), 'ok']);
    assert.deepEqual(await fixture.balances(alice), [[10n, 1n]]);
  },
  async 'an unknown account is unknown to everything'(fixture, { alice }) {
    await fixture.fund(alice, 10);
    assert.deepEqual(await fixture.apply([post([alice, -5], [NOBODY, 5]), hold(NOBODY, 5)]), ['unknown_account', 'unknown_account']);
    const h = hold(alice, 5);
    assert.deepEqual(await fixture.apply([h, capture(h.idem, [alice, -5], [NOBODY, 5])]), ['ok', 'unknown_account']);
  },
  async 'amounts are bounded: nothing overflows, NaN and infinity are no money'(fixture, { alice, bob, carol }) {
    const beyond = ['2100000000000000001', '9223372036854775808', `1${'0'.repeat(60)}`, 'NaN', 'Infinity'];
    const bad = beyond.map((amount) => post([LIGHTNING, amount === 'NaN' ? amount : `-${amount}`], [alice, amount]));
    const longest = `9${'0'.repeat(131_071)}`;
    bad.push(post([alice, longest], [alice, longest], [LIGHTNING, `-${longest}`], [LIGHTNING, `-${longest}`]));
    const together = post([LIGHTNING, -MAX], [LIGHTNING, -MAX], [bob, MAX], [carol, MAX]);
    assert.deepEqual(await fixture.apply([post([LIGHTNING, -5], [alice, 5]), ...bad, together, hold(alice, '1e30' as unknown as bigint)]), ['ok', ...bad.map(() => 'out_of_range'), 'out_of_range', 'out_of_range']); // prettier-ignore
  },
  async 'balances are bounded: of customers at once, of hot accounts at the end'(fixture, { alice, bob }) {
    assert.deepEqual(
      await fixture.apply([post([LIGHTNING, -MAX], [bob, MAX]), post([DEALER_BTC, -1], [bob, 1]), post([DEALER_BTC, -5], [alice, 5])]),
      ['ok', 'out_of_range', 'ok'],
    );
    assert.equal(fixture.replays, 0);
    assert.deepEqual(
      await fixture.apply([post([alice, -1], [LIGHTNING, 1]), post([LIGHTNING, -2], [alice, 2]), post([DEALER_BTC, -1], [alice, 1])]),
      ['ok', 'out_of_range', 'ok'],
    );
    assert.equal(fixture.replays, 1, 'a hot account is judged when the whole batch is');
    assert.deepEqual(await fixture.balances(alice, LIGHTNING, DEALER_BTC), [[5n, 0n], [1n - MAX, 0n], [-6n, 0n]]); // prettier-ignore
  },
};

const once: Record<string, Rule> = {
  async 'a key is accepted once: a duplicate of the same, a conflict with anything else'(fixture, { alice }) {
    const a = post([LIGHTNING, -5], [alice, 5]);
    const other = { ...a, legs: [[LIGHTNING, -6], [alice, 6]] as Leg[] }; // prettier-ignore
    assert.deepEqual(await fixture.apply([a, a, other, { ...a, kind: 2 }]), ['ok', 'duplicate', 'conflict', 'conflict']);
    assert.deepEqual(await fixture.apply([other, a, { ...hold(alice, 5), idem: a.idem }]), ['conflict', 'duplicate', 'conflict']);
    assert.deepEqual(await fixture.balances(alice), [[5n, 0n]]);
  },
  async 'a refused operation does not use up its key'(fixture, { alice, bob }) {
    const a = post([alice, -5], [bob, 5]);
    assert.deepEqual(await fixture.apply([a]), ['insufficient']);
    await fixture.fund(alice, 5);
    assert.deepEqual(await fixture.apply([a, a]), ['ok', 'duplicate']);
  },
  async 'a duplicate is one even when the money is gone'(fixture, { alice, bob }) {
    await fixture.fund(alice, 5);
    const a = post([alice, -5], [bob, 5]);
    assert.deepEqual(await fixture.apply([a]), ['ok']);
    assert.deepEqual(await fixture.apply([a]), ['duplicate']);
  },
};

/** Every rule of the ledger, by example. */
export const rules: Readonly<Record<string, Rule>> = { ...posting, ...holding, ...refusing, ...once, ...guarding };

/** Runs one example in a ledger of its own; the audit is zero after it. */
export async function play(name: string, sql?: string): Promise<void> {
  const rule = rules[name];
  assert.ok(rule, `no such rule: ${name}`);
  await LedgerFixture.use(sql === undefined ? {} : { sql }, async (fixture) => {
    const [alice = 0n, bob = 0n, carol = 0n] = await fixture.open(3, BTC);
    const [aliceUsd = 0n] = await fixture.open(1, USD);
    await rule(fixture, { alice, bob, carol, aliceUsd });
    await fixture.assertAuditZero('after the example');
  });
}
