import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Faults } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { ENV } from './host.js';
import type { SystemUnderTest } from './system-under-test.js';
import { FEE_LIMIT_SATS, gist, type KnownInvoice, type Model } from './model.js';

/** How the outside treats a payment, the payer's possible first answers, and the cost beside the amount: null where the payment fails. */
const WAYS = {
  fine: { faults: {}, told: ['SUCCESS'], fee: 2 },
  dear: { faults: { routeFeeMsat: 'limit' }, told: ['SUCCESS'], fee: FEE_LIMIT_SATS },
  overcharged: { faults: { routeFeeMsat: 'limit', overchargeMsat: 5_000n }, told: ['SUCCESS'], fee: FEE_LIMIT_SATS },
  slow: { faults: { delayMs: 150, duplicateEvent: true }, told: ['SUCCESS'], fee: 2 },
  'without an answer': { faults: { dropResponse: true }, told: ['SUCCESS', 'PENDING'], fee: 2 },
  'after the payment wait': { faults: { delayMs: 1_300 }, told: ['PENDING'], fee: 2 },
  'broken off': { faults: { disconnect: true, dropResponse: true }, told: ['SUCCESS', 'PENDING'], fee: 2 },
  refused: { faults: { fail: 'no_route' }, told: ['refused'], fee: null },
  'refused slowly': { faults: { fail: 'timeout', delayMs: 200 }, told: ['refused'], fee: null },
  'refused without an answer': { faults: { fail: 'rejected', delayMs: 100, dropResponse: true }, told: ['refused', 'PENDING'], fee: null },
  lost: { faults: { lost: true }, told: ['PENDING'], fee: null },
} as const satisfies Record<string, { faults: Faults; told: readonly string[]; fee: number | null }>;
type Way = keyof typeof WAYS;
const WAIT_MS = Number(ENV.PAYMENT_WAIT_SECONDS) * 1_000;

/** What the payer got, and whether that came so late that it may be PENDING, or the end of a payment that ends after the wait. */
export async function told(ask: () => Promise<string>): Promise<{ readonly answer: string; readonly isLate: boolean }> {
  const since = performance.now();
  const answer = gist(await ask());
  const ms = performance.now() - since;
  return { answer, isLate: (answer === 'PENDING' && ms >= 0.95 * WAIT_MS) || (answer === 'SUCCESS' && ms >= 1.5 * WAIT_MS) };
}

/** One action of a person. `act` answers false for an action that is impossible now; it is left out. */
export class Step<System extends SystemUnderTest = SystemUnderTest> implements fc.AsyncCommand<Model, System> {
  constructor(
    private readonly text: string,
    private readonly act: (model: Model, system: System) => Promise<boolean>,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, system: System): Promise<void> {
    if (await this.act(model, system)) await sameBalances(model, system);
  }

  toString(): string {
    return this.text;
  }
}

/** Each person has what the model says, a moment after each step. */
export async function sameBalances(model: Model, system: SystemUnderTest): Promise<void> {
  const real = (): Promise<number[]> => Promise.all(model.balances.map((_, n) => system.sats(n)));
  await eventually(async () => (await real()).every((sats, n) => sats === model.balances[n])).catch(() => undefined);
  assert.deepEqual(await real(), model.balances);
}

const held = ({ invoices }: Model): KnownInvoice[] => invoices.filter(({ state }) => state === 'in flight');
export const settled = async (model: Model, system: SystemUnderTest): Promise<void> =>
  assert.deepEqual(await system.settle(held(model)), {});
const isOwn = ({ owner }: KnownInvoice): boolean => owner !== null;

async function payOutside(model: Model, system: SystemUnderTest, payer: number, sats: number, way: Way): Promise<boolean> {
  const { faults, told: usual, fee } = WAYS[way];
  const invoice: KnownInvoice = { ...(await system.outsideInvoice(sats, faults)), sats, owner: null, state: 'open', payer: null };
  const refusal = model.refusal(payer, invoice);
  const { answer, isLate } = await told(() => system.pay(payer, invoice));
  const may: readonly string[] = refusal ? [refusal] : usual;
  assert.ok(may.includes(answer) || (isLate && !refusal), `the payer got ${answer}`);
  if (refusal) return true;
  // One that is aged before the node has it would be released, and paid nevertheless.
  if (isLate && way !== 'lost') await system.isSent(invoice);
  await settled(model, system);
  if (fee === null) return true;
  model.move(payer, -sats - fee);
  model.invoices.push({ ...invoice, state: 'paid', payer });
  return true;
}

async function pay(
  model: Model,
  system: SystemUnderTest,
  payer: number,
  invoice: KnownInvoice | undefined,
  chosenSats: number,
): Promise<boolean> {
  if (!invoice) return false;
  const isChosen = invoice.isOpenAmount === true;
  // Once it is paid, the payer of a repeat may choose anything.
  if (isChosen && invoice.state === 'open') invoice.sats = chosenSats;
  const refusal = model.refusal(payer, invoice);
  const answer = gist(await system.pay(payer, invoice, isChosen ? chosenSats : undefined));
  // An open invoice of the outside is one whose payments it holds, at every attempt.
  assert.equal(answer, refusal ?? (invoice.owner === null ? 'PENDING' : 'SUCCESS'));
  if (refusal) return true;
  [invoice.state, invoice.payer] = [invoice.owner === null ? 'in flight' : 'paid', payer];
  model.move(payer, -invoice.sats - (invoice.owner === null ? FEE_LIMIT_SATS : 0));
  if (invoice.owner !== null) model.move(invoice.owner, invoice.sats);
  return true;
}

/** The node's copy is cancelled a moment after an internal payment: until then the outside can pay too, and the recipient has it twice. */
async function receive(model: Model, system: SystemUnderTest, invoice: KnownInvoice | undefined, chosenSats: number): Promise<boolean> {
  if (!invoice || invoice.owner === null) return false;
  const isChosen = invoice.isOpenAmount === true;
  const answer = await system.payFromOutside(invoice, isChosen ? chosenSats : undefined);
  const expected = { 'open': ['paid'], 'paid': invoice.payer === null ? ['already_paid'] : ['paid', 'cancelled', 'already_paid'], 'cancelled': ['cancelled'], 'expired': ['expired'] }; // prettier-ignore
  assert.ok((expected[invoice.state as keyof typeof expected] ?? []).includes(answer), `the outside payer got ${answer}`);
  if (answer !== 'paid') return true;
  model.move(invoice.owner, isChosen ? chosenSats : invoice.sats);
  if (invoice.state === 'open') invoice.state = 'paid';
  return true;
}

async function hold(model: Model, system: SystemUnderTest, payer: number, sats: number): Promise<boolean> {
  // Every other one without an amount.
  const isOpenAmount = sats % 2 === 0;
  const made = await system.outsideInvoice(isOpenAmount ? null : sats, { hold: true });
  model.add({ ...made, sats, owner: null, ...(isOpenAmount && { isOpenAmount }) });
  return pay(model, system, payer, model.invoices.at(-1), sats);
}

/** From wallet to wallet, by the key with a budget too, or to a Lightning address. */
async function send(model: Model, system: SystemUnderTest, { from, to, sats, way }: Transfer): Promise<boolean> {
  const own = from === to ? 'refused' : undefined;
  const refusal =
    own ??
    (way === 'limited' ? model.spend(from, sats) : undefined) ??
    ((model.balances[from] ?? 0) < sats ? 'INSUFFICIENT_BALANCE' : undefined);
  const answer = way === 'address' ? system.payAddress(from, to, sats) : system.sendTo(from, to, sats, way === 'limited');
  assert.equal(gist(await answer), refusal ?? 'SUCCESS');
  if (refusal) return true;
  model.move(from, -sats);
  model.move(to, sats);
  return true;
}

interface Transfer {
  readonly from: number;
  readonly to: number;
  readonly sats: number;
  readonly way: 'plain' | 'limited' | 'address';
}

/** What the outside then takes, or the fee limit if the node takes long to answer. */
async function probe(system: SystemUnderTest, person: number, sats: number): Promise<boolean> {
  assert.ok([2, FEE_LIMIT_SATS].includes((await system.probeFee(person, await system.outsideInvoice(sats, {}))) ?? NaN));
  return true;
}

async function release(model: Model, system: SystemUnderTest, invoice: KnownInvoice | undefined, fails: boolean): Promise<boolean> {
  if (!invoice || invoice.payer === null) return false;
  await system.release(invoice, fails);
  model.move(invoice.payer, FEE_LIMIT_SATS + (fails ? invoice.sats : -2));
  // After a failure any person can try again.
  invoice.state = fails ? 'open' : 'paid';
  if (fails) invoice.payer = null;
  await settled(model, system);
  return true;
}

async function cancel(system: SystemUnderTest, invoice: KnownInvoice | undefined): Promise<boolean> {
  if (!invoice || invoice.owner === null) return false;
  assert.equal(await system.cancel(invoice.owner, invoice), invoice.state !== 'paid');
  if (invoice.state !== 'paid') invoice.state = 'cancelled';
  return true;
}

async function expire(system: SystemUnderTest, invoice: KnownInvoice | undefined): Promise<boolean> {
  if (invoice?.state !== 'open') return false;
  await system.expire(invoice);
  invoice.state = 'expired';
  return true;
}

async function whileAway(model: Model, system: SystemUnderTest, payer: number, sats: number): Promise<boolean> {
  const invoice = { ...(await system.outsideInvoice(sats, {})), sats, owner: null };
  const refusal = model.refusal(payer, { ...invoice, state: 'open', payer: null });
  await system.setAway(true);
  // The payment cannot have been sent, so its money is released at once.
  const { answer, isLate } = await told(() => system.pay(payer, invoice));
  if (isLate && !refusal) await settled(model, system);
  else assert.equal(answer, refusal ?? 'refused');
  await system.setAway(false);
  await settled(model, system);
  return true;
}

/** The steps of `people`. Rare events are rare here, and so are those that take a second. */
export function everyStepOf(people: number): fc.Arbitrary<Step>[] {
  const person = fc.nat(people - 1);
  const sats = fc.integer({ min: 1, max: 400 });
  const any = fc.nat(1_000);
  const way = fc.constantFrom(...(Object.keys(WAYS) as Way[]));
  const ask = fc.tuple(person, sats).map(([n, amount]) => new Step(`${n} asks for ${amount}`, async (model, system) => (model.add({ ...(await system.invoice(n, amount)), sats: amount, owner: n }), true))); // prettier-ignore
  const askFor = fc.tuple(person, sats).map(([n, amount]) => new Step(`a stranger asks for ${amount} for ${n}`, async (model, system) => (model.add({ ...(await system.invoiceFor(n, amount)), sats: amount, owner: n }), true))); // prettier-ignore
  const askOpen = person.map((n) => new Step(`${n} asks for any amount`, async (model, system) => (model.add({ ...(await system.openInvoice(n)), sats: 0, isOpenAmount: true, owner: n }), true))); // prettier-ignore
  const get = fc.tuple(any, sats).map(([invoice, amount]) => new Step(`the outside pays invoice ${invoice}, or ${amount} if it may choose`, (model, system) => receive(model, system, model.pick(invoice, isOwn), amount))); // prettier-ignore
  const inside = fc.tuple(person, any, sats).map(([n, invoice, amount]) => new Step(`${n} pays invoice ${invoice}, or ${amount} if it may choose`, (model, system) => pay(model, system, n, model.pick(invoice, () => true), amount))); // prettier-ignore
  const transfer = fc
    .record({ from: person, to: person, sats, way: fc.constantFrom('plain', 'limited', 'limited', 'address') })
    .map(
      (moved) => new Step(`${moved.from} sends ${moved.sats} to ${moved.to}, ${moved.way}`, (model, system) => send(model, system, moved)),
    );
  const outside = fc.tuple(person, sats, way).map(([n, amount, how]) => new Step(`${n} pays ${amount} outside, ${how}`, (model, system) => payOutside(model, system, n, amount, how))); // prettier-ignore
  return [
    ask,
    askFor,
    askOpen,
    transfer,
    transfer,
    fc.tuple(person, sats).map(([n, amount]) => new Step(`${n} probes the fee of ${amount}`, (_, system) => probe(system, n, amount))),
    get,
    get,
    inside,
    inside,
    outside,
    outside,
    fc
      .tuple(person, sats)
      .map(([n, amount]) => new Step(`${n} pays ${amount} outside, held there`, (model, system) => hold(model, system, n, amount))),
    fc.tuple(any, fc.boolean()).map(([invoice, fails]) => new Step(`held invoice ${invoice} ${fails ? 'fails' : 'settles'}`, (model, system) => release(model, system, model.pick(invoice, (known) => known.state === 'in flight'), fails))), // prettier-ignore
    any.map((invoice) => new Step(`invoice ${invoice} is taken back`, (model, system) => cancel(system, model.pick(invoice, isOwn)))),
    any.map((invoice) => new Step(`invoice ${invoice} expires`, (model, system) => expire(system, model.pick(invoice, isOwn)))),
    fc
      .tuple(person, sats)
      .map(
        ([n, amount]) =>
          new Step(`${n} pays ${amount} outside while the node is away`, (model, system) => whileAway(model, system, n, amount)),
      ),
    fc.constant(new Step('the application is started anew', async (_, system) => (await system.restart(), true))),
  ];
}

/** Any sequence of steps of `people`. */
export const stepsOf = (people: number, size: fc.CommandsContraints): fc.Arbitrary<Iterable<fc.AsyncCommand<Model, SystemUnderTest>>> =>
  fc.commands(everyStepOf(people), size);

/** The end of a run: the outside releases what it still holds, every payment ends, and the balances agree. */
export async function comeToRest(model: Model, system: SystemUnderTest): Promise<void> {
  await settled(model, system);
  for (const [index, invoice] of held(model).entries()) await release(model, system, invoice, index % 2 === 0);
  await settled(model, system);
  await sameBalances(model, system);
}
