import { Clock } from '../../src/platform/kernel/clock.js';
import { OnChainWallet } from '../../src/money/onchain/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { createDollarApp, personWithCents } from '../support/dollars.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { EAGER, Payouts } from '../support/payouts.js';

/** A person pays bitcoin addresses from the pages. */

let app: TestApp;
let fixture: Fixture;
let payouts: Payouts;
let alice: Person;
let browser: BrowserSession;

const signIn = async ({ email }: Person, on: TestApp = app): Promise<BrowserSession> => {
  const session = new BrowserSession(on.url);
  await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
  return session;
};

beforeAll(async () => {
  const env = { ACCOUNT_LIMITS: 'none', BLOCK_EXPLORER_URL: 'https://explorer.example/tx/{txid}' };
  app = await createDollarApp({ env, settings: { ...EAGER, OnChainSettings: { scanMs: 50 } } });
  [fixture, payouts] = [new Fixture(app), new Payouts(app)];
  await payouts.chain.mineEvery(0);
  await payouts.fund(2_000_000, 3_000_000);
});
beforeEach(async () => {
  alice = await fixture.user({ sats: 100_000 });
  browser = await signIn(alice);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await fixture.expectBalanced();
});
afterAll(() => app.close());

const textOf = ({ text }: Visit): string =>
  text
    .slice(text.indexOf('<main'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
const fill = async (fields: Fields, session = browser): Promise<Visit> =>
  session.post('/dashboard/send', {
    ...hiddenFields(await session.get('/dashboard/send')),
    amount: '',
    unit: 'sats',
    memo: '',
    ...fields,
  });
const reviewOf = async (fields: Fields): Promise<Visit> => {
  const { status, location, text } = await fill(fields);
  if (status !== 303) throw new Error(text);
  return browser.get(location);
};
/** The orders of the speeds, as the page offers them. */
const speedsIn = ({ text }: Visit): { order: string; name: string; isChosen: boolean; isPossible: boolean }[] =>
  [...text.matchAll(/<input type="radio" name="order" value="([^"]+)"([^>]*)\/><span><b>(\w+)</g)].map(
    ([, order = '', more = '', name = '']) => ({
      order,
      name,
      isChosen: more.includes('checked'),
      isPossible: !more.includes('disabled'),
    }),
  );
const confirm = (review: Visit, speed: string): Promise<Visit> =>
  browser.post('/dashboard/send/review', {
    ...hiddenFields(review),
    order: speedsIn(review).find(({ name }) => name === speed)?.order ?? '',
  });
const errorIn = ({ text }: Visit, field: string): string | undefined => new RegExp(`id="${field}-error">([^<]*)<`).exec(text)?.[1];
const ownAddress = async (person: Person): Promise<string> => {
  const document = 'mutation ($input: OnChainAddressCurrentInput!) { made: onChainAddressCurrent(input: $input) { address } }';
  const { made } = await dataOf(app.url, document, { input: { walletId: person.wallets.BTC } }, person.as('receive'));
  return (made as { address: string }).address;
};

it('shows what each speed takes and costs, pays once at the chosen one, and follows the payment to its block', async () => {
  const address = payouts.outside();
  const review = await reviewOf({ to: address, amount: '40,000', memo: 'For the boat' });
  expect(textOf(review)).toMatch(
    /Send 40,000 sats\? .*Speed Priority In a block within about 10 minutes\. Fee at most 8,825 sats ?, in total at most 48,825 sats ?\. Standard .* Flexible .*A bitcoin payment can’t be taken back/,
  );
  expect(speedsIn(review).map(({ name, isChosen }) => [name, isChosen])).toEqual([
    ['Priority', false],
    ['Standard', true],
    ['Flexible', false],
  ]);
  const [one, two] = await Promise.all([confirm(review, 'Priority'), confirm(review, 'Flexible')]);
  expect([one.status, two.status, one.location]).toEqual([303, 303, two.location]);
  const path = new URL(one.location).pathname;
  const id = path.split('/').at(-1) ?? '';
  await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '1 hour' WHERE id = $1`, [id]);
  await payouts.reaches('broadcast', id);
  const [output] = await payouts.paidTo(address);
  const sent = await browser.get(path);
  expect(textOf(sent)).toMatch(/−40,000 sats Pending .*Sent, not confirmed yet\. Its bitcoin transaction waits for a block/);
  expect(textOf(sent)).not.toContain('Don’t pay this invoice');
  expect(sent.text).toContain(`href="https://explorer.example/tx/${output?.txid}"`);
  expect(textOf(await browser.get('/dashboard'))).toMatch(/For the boat .*To bcrt1\w+…\w{6} · Sent, not confirmed yet Pending/);
  await payouts.chain.mine();
  await payouts.reaches('confirmed', id);
  await payouts.chain.mine(2);
  await eventually(async () => /Sent .*Confirmations 3 /.test(textOf(await browser.get(path))));
  expect(await payouts.paidTo(address)).toHaveLength(1);
  for (const q of [address, output?.txid]) expect(textOf(await browser.get(`/dashboard/history?q=${q}`))).toContain('For the boat');
});

it('says that a payment waits in the queue', async () => {
  const review = await reviewOf({ to: payouts.outside(), amount: '40,000' });
  const { location } = await confirm(review, 'Flexible');
  expect(textOf(await browser.get(location))).toMatch(
    /Waiting to be sent\. It leaves with the next transaction of its speed, Flexible\. .*Reserved 4\d,\d+ sats/,
  );
});

it('reads a text of BIP 21, and pays its invoice where it has one', async () => {
  const address = payouts.outside();
  const review = await reviewOf({ to: `BITCOIN:${address.toUpperCase()}?amount=0.0004&label=Tea%20House` });
  expect(textOf(review)).toMatch(new RegExp(`Send 40,000 sats\\? .*To ${address} Description Tea House .*Speed`));
  const { paymentRequest } = await fixture.outside(1_000);
  const lightning = await reviewOf({ to: `bitcoin:${address}?amount=0.00001&lightning=${paymentRequest.toUpperCase()}` });
  expect(textOf(lightning)).toMatch(/Send 1,000 sats\? .*Lightning invoice .*Network fee/);
  expect(speedsIn(lightning)).toEqual([]);
});

it('pays an address before a user who has it as a name', async () => {
  const address = payouts.outside();
  await app.pool.query('UPDATE app_user SET username = $1 WHERE id = $2', [address, (await fixture.user()).userId]);
  expect(speedsIn(await reviewOf({ to: address, amount: '40,000' }))).toHaveLength(3);
});

it.each<[string, () => Fields, 'to' | 'amount', RegExp]>([
  [
    'a wrong checksum',
    () => ({ to: `${payouts.outside().slice(0, -3)}qqq`, amount: '40,000' }),
    'to',
    /^This bitcoin address can’t be read/,
  ],
  ['another network', () => ({ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: '40,000' }), 'to', /is for another network/],
  ['no amount', () => ({ to: payouts.outside() }), 'amount', /states no amount/],
  [
    'two amounts',
    () => ({ to: `bitcoin:${payouts.outside()}?amount=0.0004`, amount: '1' }),
    'amount',
    /^The recipient asks for 40,000 sats\. Leave/,
  ],
  [
    'an amount that can’t be read',
    () => ({ to: `bitcoin:${payouts.outside()}?amount=1e3` }),
    'to',
    /amount in this bitcoin text can’t be read/,
  ],
  ['a requirement', () => ({ to: `bitcoin:${payouts.outside()}?amount=0.0004&req-x=1` }), 'to', /requires something/],
  ['dust', () => ({ to: payouts.outside(), amount: '100' }), 'amount', /./],
  ['a fee above the amount', () => ({ to: payouts.outside(), amount: '4,000' }), 'amount', /fee would be higher than the amount/],
  ['more than the balance', () => ({ to: payouts.outside(), amount: '99,999' }), 'amount', /^You have 100,000 sats\. This needs/],
])('refuses %s, and holds nothing', async (_, fields, field, said) => {
  const page = await fill(fields());
  expect([page.status, errorIn(page, field)]).toEqual([422, expect.stringMatching(said)]);
  expect(await alice.sats()).toBe(100_000);
});

it('offers only the speeds that the balance covers', async () => {
  const review = await reviewOf({ to: payouts.outside(), amount: '93,000' });
  expect(speedsIn(review).map(({ name, isPossible }) => [name, isPossible])).toEqual([
    ['Priority', false],
    ['Standard', true],
    ['Flexible', true],
  ]);
  expect(textOf(review)).toContain('more than your balance');
});

it('pays an address of this server inside, without a fee or a choice, and refuses one’s own', async () => {
  const bob = await fixture.user();
  const review = await reviewOf({ to: await ownAddress(bob), amount: '7,000' });
  expect([speedsIn(review), textOf(review)]).toEqual([[], expect.stringMatching(/Network fee None Total 7,000 sats/)]);
  const sent = await browser.post('/dashboard/send/review', hiddenFields(review));
  expect(textOf(await browser.get(sent.location))).toMatch(/−7,000 sats Sent/);
  expect(await bob.sats()).toBe(7_000);
  const received = textOf(await (await signIn(bob)).get('/dashboard'));
  expect(received).toMatch(new RegExp(`From ${alice.username} \\+7,000 sats .* Received`));
  expect(errorIn(await fill({ to: await ownAddress(alice), amount: '7,000' }), 'to')).toBe(
    'This bitcoin address is your own. Enter another one.',
  );
});

it('pays from a wallet in dollars, with the fee in dollars', async () => {
  const dollars = await personWithCents(fixture, 10_000);
  browser = await signIn(dollars);
  const review = await reviewOf({ to: payouts.outside(), amount: '50', unit: 'USD', wallet: 'USD' });
  expect(textOf(review)).toMatch(/Send \$50\.00\? .*Priority .*Fee at most \$4\.\d\d ?, in total at most \$54\.\d\d/);
  const { status, location } = await confirm(review, 'Standard');
  expect([status, textOf(await browser.get(location))]).toEqual([303, expect.stringMatching(/−\$53\.\d\d Pending .*Waiting to be sent/)]);
  const id = location.split('/').at(-1) ?? '';
  await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '1 hour' WHERE id = $1`, [id]);
  await payouts.reaches('broadcast', id);
  await payouts.chain.mine();
  await payouts.reaches('confirmed', id);
  expect(textOf(await browser.get(location))).toMatch(/Amount \$50\.00 ?Network fee \$3\.\d\d/);
});

it('says what is missing where the node is short or away', async () => {
  const wallet = app.get(OnChainWallet);
  jest.spyOn(wallet, 'balance').mockResolvedValueOnce({ status: 'unknown' });
  expect(errorIn(await fill({ to: payouts.outside(), amount: '40,000' }), 'to')).toMatch(/does not answer now/);
});

it('does not offer addresses where there is no on-chain wallet, and says so', async () => {
  const without = await createTestApp({ env: { ONCHAIN: '0' } });
  const session = await signIn(await new Fixture(without).user({ sats: 50_000 }), without);
  expect((await session.get('/dashboard/send')).text).not.toContain('bitcoin address');
  expect(errorIn(await fill({ to: payouts.outside(), amount: '40,000' }, session), 'to')).toMatch(
    /^This server can’t pay bitcoin addresses/,
  );
  await without.close();
});

/** The last one: the rate stays. */
it('asks again when the fee has risen since the review', async () => {
  const review = await reviewOf({ to: payouts.outside(), amount: '40,000' });
  const wallet = app.get(OnChainWallet);
  jest.spyOn(wallet, 'feeRate').mockResolvedValue({ status: 'known', satsPerVbyte: 90 });
  // The rate is kept for half a minute.
  const clock = app.get(Clock);
  const elapsed = clock.elapsed.bind(clock);
  jest.spyOn(clock, 'elapsed').mockImplementation(() => elapsed() + 60_000);
  const again = await confirm(review, 'Priority');
  expect([again.status, textOf(again)]).toEqual([422, expect.stringContaining('The network fee has risen')]);
  expect(await alice.sats()).toBe(100_000);
  expect((await confirm(again, 'Priority')).status).toBe(303);
});
