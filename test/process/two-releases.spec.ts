import { createTestDatabase, urlOf, type TestDatabase } from '../support/database.js';
import { demoPerson } from '../support/demo-person.js';
import { buildRelease, releases, removeRelease, type Release } from '../support/release.js';
import { PROJECT, ServerProcess } from '../support/server-process.js';
import { Updates } from '../support/updates.js';
import type { WalletClient } from '../support/wallet-client.js';

/** Payments of each pair of a payer and a payee, and how many of them are under way at once. */
const PAYMENTS = 20;
const AT_ONCE = 4;
const NAMES = ['alice', 'bob'] as const;

interface Sum {
  paid: number;
  received: number;
}

const all = releases();
/** What the present release needs, as its schema says: the release before it. */
const OLDEST = '0.4.0';
describe('the present release', () => {
  for (const { version, isHere } of all)
    if (!isHere) it.skip(`takes over from ${version}: its commit is not in this clone`, () => undefined);
});

const besideRelease = (release: Release): void => {
  let folder: string | undefined;
  let database: TestDatabase;
  let earlier: ServerProcess;
  let present: ServerProcess;

  beforeAll(async () => {
    folder = await buildRelease(release);
    database = await createTestDatabase({ migrated: false });
    earlier = await ServerProcess.prepare({ DATABASE_URL: urlOf(database), SLUICE_DEMO_ON_EXTERNAL_DB: '1' }, folder);
    await earlier.start();
    present = await earlier.sibling(PROJECT);
    // The present release migrates the database while the earlier one runs on it.
    await present.start();
  });
  afterAll(async () => {
    await Promise.all([present?.close(), earlier?.close()]);
    await database?.drop();
    removeRelease(folder);
  });

  it('moves the same money: every answer counts once in the balances, and the ledger is sound', async () => {
    const before = new Map<string, number>();
    const sums = new Map<string, Sum>(NAMES.map((name) => [name, { paid: 0, received: 0 }]));
    const sumOf = (name: string): Sum => sums.get(name) as Sum;
    for (const name of NAMES) before.set(name, await demoPerson(earlier, name).sats());

    const pay = async (payer: WalletClient, paymentRequest: string): Promise<number> => {
      const { status, errors, transaction } = await payer.pay(paymentRequest);
      expect({ status, errors }).toEqual({ status: 'SUCCESS', errors: [] });
      return -(transaction.settlementAmount as number);
    };
    const pairs = [earlier, present].flatMap((from) =>
      [earlier, present].flatMap((to) =>
        NAMES.map((name) => ({ from, to, name, other: name === 'alice' ? 'bob' : 'alice' }) as const),
      ),
    ); // prettier-ignore
    await Promise.all(
      pairs.map(async ({ from, to, name, other }, index) => {
        const [payer, payee] = [demoPerson(from, name), demoPerson(to, other)];
        for (let done = 0; done < PAYMENTS; done += AT_ONCE) {
          const sats = Array.from({ length: AT_ONCE }, (_, n) => 1 + ((done + n + index) % 7));
          const invoices = await Promise.all(sats.map((amount) => payee.invoice(amount)));
          const paid = await Promise.all(invoices.map(({ paymentRequest }) => pay(payer, paymentRequest)));
          expect(paid).toEqual(sats);
          for (const amount of sats) {
            sumOf(name).paid += amount;
            sumOf(other).received += amount;
          }
        }
      }),
    );
    // To another node: each release holds, sends and captures.
    for (const server of [earlier, present])
      sumOf('alice').paid += await pay(demoPerson(server, 'alice'), await server.sluice('simulator', 'invoice', '--sats', '100'));

    for (const server of [earlier, present]) {
      for (const name of NAMES) {
        const { paid, received } = sumOf(name);
        expect({ name, sats: await demoPerson(server, name).sats() }).toEqual({ name, sats: (before.get(name) ?? NaN) - paid + received });
      }
      expect(await server.sluice('audit')).toMatch(/^Ledger OK /);
    }
  });

  it.each([
    ['of the earlier one', () => [earlier, present]],
    ['of the present one', () => [present, earlier]],
  ])('reports payments live to subscribers %s', async (_whose, servers) => {
    const [own, other] = servers() as [ServerProcess, ServerProcess];
    const [alice, bob] = [demoPerson(own, 'alice'), demoPerson(other, 'bob')];
    const updates = await Updates.open(alice, alice.as('read'), bob);
    const { paymentRequest, paymentHash } = await alice.invoice(900);
    expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await updates.about(paymentHash)).toMatchObject({ transaction: { settlementAmount: 900, status: 'SUCCESS' } });
    updates.close();
  });
};

const afterRelease = (release: Release): void => {
  it('takes over its database, with which it then does not start any more', async () => {
    const folder = await buildRelease(release);
    const database = await createTestDatabase({ migrated: false });
    const earlier = await ServerProcess.prepare({ DATABASE_URL: urlOf(database), SLUICE_DEMO_ON_EXTERNAL_DB: '1' }, folder);
    const present = await earlier.sibling(PROJECT);
    try {
      await earlier.start();
      const { paymentRequest } = await demoPerson(earlier, 'bob').invoice(900);
      expect(await demoPerson(earlier, 'alice').pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      const before = await demoPerson(earlier, 'alice').sats();
      await earlier.end();

      await present.start();
      const alice = demoPerson(present, 'alice');
      expect(await alice.sats()).toBe(before);
      expect(await alice.pay((await demoPerson(present, 'bob').invoice(900)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      expect(await alice.sats()).toBe(before - 900);
      expect(await present.sluice('audit')).toMatch(/^Ledger OK /);

      const { code, stdout, stderr } = await earlier.launch();
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain(`its schema needs Sluice ${OLDEST} or newer`);
    } finally {
      await Promise.all([present.close(), earlier.close()]);
      await database.drop();
      removeRelease(folder);
    }
  });
};

for (const release of all.filter(({ isHere }) => isHere)) {
  if (release === all.at(-1)) describe(`the present release beside ${release.version}`, () => besideRelease(release));
  else describe(`the present release after ${release.version}`, () => afterRelease(release));
}
