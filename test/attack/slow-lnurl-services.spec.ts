import type { ServerResponse } from 'node:http';
import { lnurlOf } from '../../src/money/lnurl/lnurl-text.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { json, LnurlService } from '../support/lnurl-service.js';

const PAY_LNURL = `mutation ($input: LnurlPaymentSendInput!) { sent: lnurlPaymentSend(input: $input) { status errors { code } } }`;
const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { sent: intraLedgerPaymentSend(input: $input) { status errors { code } } }`;
const NO_INVOICE = { status: 'FAILURE', errors: [{ code: 'LNURL_REQUEST_INVOICE_ERROR' }] };
const NOT_SENT = { status: 'FAILURE', errors: [{ code: 'PAYMENT_NOT_SENT' }] };

/** An LNURL service answers as slowly as its owner likes. */
describe('slow LNURL services', () => {
  let app: TestApp;
  let fixture: Fixture;
  /** Requests to one of them share few connections. */
  let services: LnurlService[];
  let mallory: Person;
  let trudy: Person;
  let bob: Person;
  let held: ServerResponse[];

  beforeAll(async () => {
    app = await createTestApp({ env: { WORK_PER_ADDRESS: '1000', THROTTLE_LNURL_PAYMENT: '1000/60' } });
    fixture = new Fixture(app);
    const invoicing = async (amountMsat: bigint, descriptionHash: string): Promise<string> => {
      const faults = { routeFeeMsat: 0n };
      return (await fixture.simulator.createOutsideInvoice({ amountMsat, descriptionHash, faults })).paymentRequest;
    };
    services = await Promise.all(Array.from({ length: 4 }, () => LnurlService.start(invoicing)));
    [mallory, trudy, bob] = await Promise.all([fixture.user(), fixture.user(), fixture.user({ sats: 1_000 })]);
  });
  beforeEach(() => {
    held = [];
    for (const service of services) service.behave({ handlers: { '/slow': (_request, response) => void held.push(response) } });
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(async () => {
    for (const service of services) service.close();
    await app.close();
  });

  const pay = async (payer: Person, path: string, n = 0): Promise<unknown> => {
    const input = { walletId: payer.wallets.BTC, lnurl: lnurlOf(`${services[n % services.length]?.url}${path}`), amount: 100 };
    return (await dataOf(app.url, PAY_LNURL, { input }, payer.as('write'))).sent;
  };
  const release = (): void => {
    for (const response of held.splice(0)) json(response, {});
  };

  it('hold up no payment of another account', async () => {
    const slow = [mallory, trudy].flatMap((payer) => Array.from({ length: 12 }, (_, n) => pay(payer, '/slow', n)));
    // More than a pool has connections.
    await eventually(() => held.length === slow.length);
    const input = { walletId: bob.wallets.BTC, recipientWalletId: mallory.wallets.BTC, amount: 1 };
    expect((await dataOf(app.url, SEND, { input }, bob.as('write'))).sent).toEqual({ status: 'SUCCESS', errors: [] });
    expect(held).toHaveLength(slow.length);
    release();
    for (const answer of await Promise.all(slow)) expect(answer).toEqual(NO_INVOICE);
  });

  it('of one account leave half of the requests to the others', async () => {
    const slow = Array.from({ length: 40 }, (_, n) => pay(mallory, '/slow', n));
    let refused = 0;
    for (const call of slow) void call.then(() => refused++);
    await eventually(() => held.length === 32 && refused === 8);
    expect(await pay(bob, '/pay')).toEqual({ status: 'SUCCESS', errors: [] });
    release();
    const answers = await Promise.all(slow);
    expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(NOT_SENT))).toHaveLength(8);
    expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(NO_INVOICE))).toHaveLength(32);
  });
});
