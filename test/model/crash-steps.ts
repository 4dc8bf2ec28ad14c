import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gist, type KnownInvoice, type Model } from './model.js';
import type { Processes } from './processes.host.js';
import { everyStepOf, settled, Step } from './steps.js';
import type { SystemUnderTest } from './system-under-test.js';

type System = SystemUnderTest<Processes>;

const ROUTE_FEE_SATS = 2;
/** How the outside treats a payment whose process dies. */
const WAYS = { fine: {}, slow: { delayMs: 150 }, refused: { fail: 'no_route', delayMs: 100 }, lost: { lost: true } } as const;
/** What the payer may get: an answer, or none. */
const NO_ANSWER = 'no answer';

/** A payment whose process dies meanwhile. An answer that the payer has got is true; without one, the payment is paid or is not. */
async function paysAndDies(model: Model, system: System, payer: number, invoice: KnownInvoice, delayMs: number): Promise<boolean> {
  const refusal = model.refusal(payer, invoice);
  const isPaidBefore = invoice.state === 'paid';
  const [answer] = await Promise.all([
    system.pay(payer, invoice).then(gist, () => NO_ANSWER),
    new Promise((resolve) => setTimeout(resolve, delayMs)).then(() => system.host.kill(payer)),
  ]);
  if (refusal) {
    // A process that dies refuses nothing for another reason than the model's.
    assert.ok([refusal, NO_ANSWER, 'refused'].includes(answer), `the payer got ${answer} instead of ${refusal}`);
    return true;
  }
  await settled(model, system);
  const isPaid = !isPaidBefore && (await system.isPaid(invoice));
  if (answer === 'SUCCESS') assert.ok(isPaid, 'the payer got SUCCESS for a payment that was not made');
  if (answer === 'INSUFFICIENT_BALANCE' || answer === 'ALREADY_PAID') assert.fail(`the payer got ${answer}`);
  if (!isPaid) return true;
  model.move(payer, -invoice.sats - (invoice.owner === null ? ROUTE_FEE_SATS : 0));
  if (invoice.owner !== null) model.move(invoice.owner, invoice.sats);
  [invoice.state, invoice.payer] = ['paid', payer];
  return true;
}

interface Doomed {
  readonly payer: number;
  readonly sats: number;
  readonly way: keyof typeof WAYS;
  readonly delayMs: number;
}

async function paysOutsideAndDies(model: Model, system: System, { payer, sats, way, delayMs }: Doomed): Promise<boolean> {
  const invoice: KnownInvoice = { ...(await system.outsideInvoice(sats, WAYS[way])), sats, owner: null, state: 'open', payer: null };
  await paysAndDies(model, system, payer, invoice, delayMs);
  if (invoice.state === 'paid') model.invoices.push(invoice);
  return true;
}

/** All processes are away while the outside pays: the recipient has it once they are back. */
async function receivesWhileAllAreDead(model: Model, system: System, owner: number, sats: number): Promise<boolean> {
  const invoice: KnownInvoice = { ...(await system.invoice(owner, sats)), sats, owner, state: 'open', payer: null };
  await system.host.killAll(async () => assert.equal(await system.payFromOutside(invoice), 'paid'));
  model.move(owner, sats);
  invoice.state = 'paid';
  model.invoices.push(invoice);
  return true;
}

/** Any sequence of steps of `people` on several processes, with what can happen to these. */
export function crashingStepsOf(people: number, size: fc.CommandsContraints): fc.Arbitrary<Iterable<fc.AsyncCommand<Model, System>>> {
  const person = fc.nat(people - 1);
  const sats = fc.integer({ min: 1, max: 400 });
  const delay = fc.nat(60);
  const way = fc.constantFrom(...(Object.keys(WAYS) as (keyof typeof WAYS)[]));
  const outside = fc
    .tuple(person, sats, way, delay)
    .map(
      ([n, amount, how, ms]) =>
        new Step<System>(`${n} pays ${amount} outside, ${how}, and the process is killed after ${ms} ms`, (model, system) =>
          paysOutsideAndDies(model, system, { payer: n, sats: amount, way: how, delayMs: ms }),
        ),
    );
  const inside = fc.tuple(person, fc.nat(1_000), delay).map(
    ([n, any, ms]) =>
      new Step<System>(`${n} pays invoice ${any}, and the process is killed after ${ms} ms`, async (model, system) => {
        const invoice = model.pick(any, ({ owner }) => owner !== null);
        return invoice ? paysAndDies(model, system, n, invoice, ms) : false;
      }),
  );
  const accident = (text: string, act: (system: System) => Promise<void>): fc.Arbitrary<Step<System>> =>
    fc.constant(new Step<System>(text, async (_model, system) => (await act(system), true)));
  const crashes: fc.Arbitrary<Step<System>>[] = [
    outside,
    inside,
    person.map((n) => new Step<System>(`the process of ${n} is killed`, async (_, system) => (await system.host.kill(n), true))),
    accident('every connection to the database is cut', (system) => system.host.cutConnections()),
    accident('PostgreSQL is killed', (system) => system.host.killPostgres()),
    fc
      .tuple(person, sats)
      .map(
        ([n, amount]) =>
          new Step<System>(`${n} is paid ${amount} while all processes are dead`, (model, system) =>
            receivesWhileAllAreDead(model, system, n, amount),
          ),
      ),
  ];
  return fc.commands<Model, System, false>([...everyStepOf(people), ...crashes] as fc.Arbitrary<fc.AsyncCommand<Model, System>>[], size);
}
