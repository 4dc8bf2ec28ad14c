import { createTestApp, type TestApp } from '../support/app.js';
import { post } from '../support/http.js';
import { Fixture, type Person } from '../support/fixture.js';

const CREATE = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { lnInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { code } } }`;

/** One address must not use up the limit that all callers share: an address over its own limit counts no further there. */
describe('one address that requests more invoices after its limit', () => {
  let app: TestApp;
  let alice: Person;
  beforeAll(async () => {
    // The window of an address is longer than that of all callers: the order of counting is not that of the windows.
    const env = {
      TRUST_PROXY: '1',
      THROTTLE_ANONYMOUS_INVOICE: '2/3600',
    };
    app = await createTestApp({ env, settings: { RateLimitSettings: { anonymousInvoiceFirst: '1/60', anonymousInvoiceAll: '6/60' } } });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  const ask = async (from: string): Promise<string | undefined> => {
    const variables = { input: { recipientWalletId: alice.wallets.BTC, amount: 1 } };
    const { body } = await post(`${app.url}/graphql`, { query: CREATE, variables }, { 'x-forwarded-for': from });
    return body.data.lnInvoiceCreateOnBehalfOfRecipient.errors[0]?.code;
  };

  it('does not use up the limit of others', async () => {
    const answers = [];
    for (let i = 0; i < 10; i++) answers.push(await ask('203.0.113.1'));
    expect(answers).toEqual([undefined, undefined, ...Array<string>(8).fill('TOO_MANY_REQUEST')]);
    // The second invoice of each address is not among those that always pass.
    for (const from of ['203.0.113.2', '203.0.113.3']) expect([await ask(from), await ask(from)]).toEqual([undefined, undefined]);
  });
});
