import { createTestApp, type TestApp } from '../support/app.js';
import { post } from '../support/http.js';
import { Fixture, type Person } from '../support/fixture.js';

const CREATE = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { lnInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { code } } }`;
const RECIPIENT_LIMIT = 60;
const ALL_LIMIT = 90;
const FOR_OTHER_LIMIT = 12;

/** A merchant's name is public. Any caller may ask for invoices that pay the merchant, and must not be able to keep payers out. */
describe('many addresses that request one merchant’s invoices', () => {
  let app: TestApp;
  let fixture: Fixture;
  let merchant: Person;
  beforeEach(async () => {
    const env = {
      TRUST_PROXY: '1',
      THROTTLE_ANONYMOUS_INVOICE: '10/3600',
      THROTTLE_INVOICE_RECIPIENT: `${RECIPIENT_LIMIT}/3600`,
      THROTTLE_INVOICE_FOR_OTHER: `${FOR_OTHER_LIMIT}/3600`,
    };
    app = await createTestApp({ env, settings: { RateLimitSettings: { anonymousInvoiceAll: `${ALL_LIMIT}/3600` } } });
    fixture = new Fixture(app);
    merchant = await fixture.user();
  });
  afterEach(async () => {
    await fixture.expectBalanced();
    await app.close();
  });

  type Ask = (from: string, to?: Person) => Promise<boolean>;
  const byGraphql: Ask = async (from, to = merchant) => {
    const variables = { input: { recipientWalletId: to.wallets.BTC, amount: 1 } };
    const { body } = await post(`${app.url}/graphql`, { query: CREATE, variables }, { 'x-forwarded-for': from });
    return body.data.lnInvoiceCreateOnBehalfOfRecipient.errors.length === 0;
  };
  const byLnurl: Ask = async (from, to = merchant) => {
    const url = `${app.url}/.well-known/lnurlp/${to.username}/callback?amount=1000`;
    const answer = (await (await fetch(url, { headers: { 'x-forwarded-for': from } })).json()) as { pr?: string };
    return answer.pr !== undefined;
  };
  const repeated = async (times: number, ask: () => Promise<boolean>): Promise<boolean[]> => {
    const answers = [];
    for (let i = 0; i < times; i++) answers.push(await ask());
    return answers;
  };
  /** Twenty addresses, each of which asks until it is refused. */
  const crowd = async (ask: Ask, toWhom: (address: number) => Person): Promise<number> => {
    let made = 0;
    for (let address = 1; address <= 20; address++)
      made += (await repeated(11, () => ask(`203.0.113.${address}`, toWhom(address)))).filter(Boolean).length;
    return made;
  };

  it.each([
    ['GraphQL', byGraphql],
    ['LNURL', byLnurl],
  ])('leave the first calls of every other address open, by %s', async (_, ask) => {
    // Six addresses fill the recipient's limit; the others have their first three and no more.
    expect(await crowd(ask, () => merchant)).toBe(RECIPIENT_LIMIT + 14 * 3);
    expect(await repeated(5, () => ask('198.51.100.1'))).toEqual([true, true, true, false, false]);
    expect(await repeated(5, () => ask('198.51.100.2'))).toEqual([true, true, true, false, false]);
  });

  it.each([
    ['GraphQL', byGraphql],
    ['LNURL', byLnurl],
  ])('count as one address within an IPv6 /48, by %s', async (_, ask) => {
    await crowd(ask, () => merchant);
    const networks = ['2001:db8:7:1::1', '2001:db8:7:2::1', '2001:db8:7:3::1', '2001:db8:7:4::1'];
    expect(await Promise.all(networks.slice(0, 3).map((from) => ask(from)))).toEqual([true, true, true]);
    expect(await ask('2001:db8:7:4::1')).toBe(false);
    expect(await ask('2001:db8:8:1::1')).toBe(true);
  });

  it.each([
    ['GraphQL', byGraphql],
    ['LNURL', byLnurl],
  ])('leave the first calls open at the limit of all anonymous callers too, by %s', async (_, ask) => {
    const others = [await fixture.user(), await fixture.user(), await fixture.user(), await fixture.user()];
    await crowd(ask, (address) => others[address % others.length] ?? merchant);
    expect(await repeated(5, () => ask('198.51.100.3'))).toEqual([true, true, true, false, false]);
  });

  it('count each alias of a document', async () => {
    await crowd(byGraphql, () => merchant);
    const field = `lnInvoiceCreateOnBehalfOfRecipient(input: { recipientWalletId: "${merchant.wallets.BTC}", amount: 1 }) { errors { code } }`;
    const query = `mutation { ${[1, 2, 3, 4, 5].map((n) => `a${n}: ${field}`).join(' ')} }`;
    const { body } = await post(`${app.url}/graphql`, { query }, { 'x-forwarded-for': '198.51.100.4' });
    const codes = Object.values<{ errors: { code: string }[] }>(body.data).map(({ errors }) => errors[0]?.code);
    expect(codes).toEqual([undefined, undefined, undefined, 'TOO_MANY_REQUEST', 'TOO_MANY_REQUEST']);
  });

  it('with keys of one account count as one caller for each recipient, without effect on others', async () => {
    const [mallory, bob, other] = [await fixture.user(), await fixture.user(), await fixture.user()];
    const ask = async (by: Person, key: 'read' | 'receive' | 'all', to = merchant): Promise<string | undefined> => {
      const variables = { input: { recipientWalletId: to.wallets.BTC, amount: 1 } };
      const { body } = await post(`${app.url}/graphql`, { query: CREATE, variables }, by.as(key));
      return body.data.lnInvoiceCreateOnBehalfOfRecipient.errors[0]?.code;
    };
    const keys = ['read', 'receive', 'all'] as const;
    for (let i = 0; i < FOR_OTHER_LIMIT; i++) expect(await ask(mallory, keys[i % 3] ?? 'read')).toBeUndefined();
    for (const key of keys) expect(await ask(mallory, key)).toBe('TOO_MANY_REQUEST');
    expect(await ask(mallory, 'read', other)).toBeUndefined();
    expect(await ask(bob, 'read')).toBeUndefined();
    expect(await ask(merchant, 'receive')).toBeUndefined();
    expect(await merchant.invoice(1)).toMatchObject({ paymentHash: expect.any(String) as string });
    expect(await byGraphql('198.51.100.5')).toBe(true);
  });
});
