import { join } from 'node:path';
import { createTestApp, type TestApp } from '../support/app.js';
import { request } from '../support/http.js';
import { PROJECT, run } from '../support/server-process.js';
import { Fixture } from '../support/fixture.js';

describe('GraphQL clients with their default settings', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  it('urql queries by GET and POST, and graphql-request by POST', async () => {
    const person = await new Fixture(app).user({ sats: 500 });
    const program = join(PROJECT, 'test/client/graphql-clients.mjs');
    const { stdout, stderr } = await run(process.execPath, [program, `${app.url}/graphql`, person.keys.all, person.wallets.BTC], {});
    expect(stderr).toBe('');
    const balance = { me: { defaultAccount: { walletById: { balance: 500 } } } };
    const invoice = { lnInvoiceCreate: { errors: [], invoice: { paymentRequest: expect.stringMatching(/^lnbcrt210n1/) as string } } };
    expect(JSON.parse(stdout)).toMatchObject({
      methods: ['GET', 'POST', 'GET'],
      urqlQuery: { data: balance },
      urqlMutation: { data: invoice },
      urqlRefused: { error: expect.stringMatching(/Cannot query field "nothing"/) as string },
      requestQuery: balance,
      requestMutation: invoice,
    });
  });

  it('a mutation by GET is refused, and creates nothing', async () => {
    const query = encodeURIComponent('mutation { lnInvoiceCancel(input: {walletId: "x", paymentHash: "y"}) { success } }');
    const { status, body } = await request(`${app.url}/graphql?query=${query}`);
    expect(status).toBe(405);
    expect(JSON.stringify(body)).toMatch(/GET/);
  });
});
