import { ChainSimulator, OnChainAddressService, OnChainWallet } from '../../src/money/onchain/index.js';
import { bitcoinUri } from '../../src/dashboard/receive/bitcoin-uri.js';
import { qr } from '../../src/edge/page/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { createDollarApp } from '../support/dollars.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';

/** What a person sees of payments to bitcoin addresses. */

const SETTINGS = { OnChainSettings: { scanMs: 50 } };
const EXPLORER = 'https://explorer.example/tx/{txid}?from=sluice';

let app: TestApp;
let chain: ChainSimulator;
let alice: Person;
let browser: BrowserSession;

const signIn = async (on: TestApp, { email }: Person): Promise<BrowserSession> => {
  const session = new BrowserSession(on.url);
  await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
  return session;
};

beforeAll(async () => {
  app = await createDollarApp({ settings: SETTINGS, env: { BLOCK_EXPLORER_URL: EXPLORER } });
  chain = app.get(ChainSimulator);
  await chain.mineEvery(0);
});
beforeEach(async () => {
  alice = await new Fixture(app).user();
  browser = await signIn(app, alice);
});
afterAll(() => app.close());

const textOf = ({ text }: Visit): string =>
  text
    .slice(text.indexOf('<main'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
const invoiceOf = async (fields: Readonly<Record<string, string>>, session = browser): Promise<Visit> => {
  const form = await session.get('/dashboard/receive');
  const { location } = await session.post('/dashboard/receive', { ...hiddenFields(form), unit: 'sats', memo: '', ...fields });
  return session.get(location);
};
const showAddress = async (page: Visit, session = browser): Promise<Visit> => {
  await session.post(`${new URL(page.url).pathname}/address`, hiddenFields(page));
  return session.get(page.url);
};
const addressIn = ({ text }: Visit): string => /<code id="address">(\w+)</.exec(text)?.[1] ?? '';
const requestIn = ({ text }: Visit): string => /<code id="invoice">(\w+)</.exec(text)?.[1] ?? '';
const codeIn = ({ text }: Visit): string | undefined => /stroke="#000" d="([^"]+)"/.exec(text)?.[1];
const addresses = async (): Promise<unknown> =>
  (await app.pool.query<object>('SELECT FROM onchain_address WHERE wallet_id = ANY ($1)', [Object.values(alice.wallets)])).rows.length;
const deposit = async (address: string, sats: number): Promise<string> => {
  const txid = await chain.deposit({ address, sats: BigInt(sats) });
  if (txid === null) throw new Error('The chain refused the deposit');
  return txid;
};
/** Loads a page until it says so. */
const shows = (path: string, words: RegExp): Promise<string> =>
  eventually(async () => {
    const text = textOf(await browser.get(path));
    if (!words.test(text)) throw new Error(`The page says: ${text}`);
    return text;
  });

describe('the page of an invoice', () => {
  it('makes an address when asked, and every later invoice of the wallet has the same, in one QR code', async () => {
    expect(textOf(await browser.get('/dashboard/receive'))).toContain('can show a bitcoin address too');
    const first = await invoiceOf({ amount: '50,000' });
    expect([await addresses(), textOf(first).includes('Show a bitcoin address')]).toEqual([0, true]);
    const shown = await showAddress(first);
    const address = addressIn(shown);
    expect(address).toMatch(/^bcrt1/);
    const request = { address, label: `${alice.username}@${new URL(app.url).host}` };
    const value = bitcoinUri({ ...request, sats: 50_000, paymentRequest: requestIn(shown) });
    expect(codeIn(shown)).toBe(/ d="([^"]+)"/.exec(String(qr({ value, label: '' })))?.[1]);
    expect(textOf(shown)).toContain('Counts after 2 confirmations, about 20 minutes Deposit fee 2,500 sats : you get 47,500 sats');
    await showAddress(shown);
    expect(addressIn(await invoiceOf({ amount: '2,000,000' }))).toBe(address);
    expect(await addresses()).toBe(1);
  });

  it('says of a large amount that it waits longer and costs nothing', async () => {
    const page = await showAddress(await invoiceOf({ amount: '20,000,000' }));
    expect(textOf(page)).toContain('Counts after 6 confirmations, about 60 minutes Deposit fee None');
  });

  it('of a wallet in dollars has an address of that wallet', async () => {
    const page = await showAddress(await invoiceOf({ amount: '20', unit: 'USD', wallet: 'USD' }));
    expect(addressIn(page)).toBe(await app.get(OnChainAddressService).findCurrent(alice.wallets.USD));
    expect(textOf(page)).toContain('Into Your US dollar wallet, at the price of that moment');
  });

  it('has none for an amount that the deposit fee would take', async () => {
    await showAddress(await invoiceOf({ amount: '50,000' }));
    for (const amount of ['2,500', '1']) expect((await invoiceOf({ amount })).text).not.toMatch(/bitcoin address/i);
    expect((await invoiceOf({ amount: '2,501' })).text).toMatch(/you get .*1 sat</);
  });

  it('of another person shows no address, and makes none', async () => {
    const page = await invoiceOf({ amount: '50,000' });
    const bob = await signIn(app, await new Fixture(app).user());
    const own = await invoiceOf({ amount: '50,000' }, bob);
    expect((await bob.post(`${new URL(page.url).pathname}/address`, hiddenFields(own))).status).toBe(404);
    expect(await addresses()).toBe(0);
  });

  it('says that a node which does not answer makes no address', async () => {
    const page = await invoiceOf({ amount: '50,000' });
    jest.spyOn(app.get(OnChainWallet), 'newAddress').mockResolvedValueOnce({ status: 'unknown' });
    expect((await browser.post(`${new URL(page.url).pathname}/address`, hiddenFields(page))).status).toBe(503);
  });

  it('shows no address where there is no on-chain wallet, and makes none', async () => {
    const without = await createTestApp({ env: { ONCHAIN: '0' } });
    const carol = await signIn(without, await new Fixture(without).user());
    const page = await invoiceOf({ amount: '50,000' }, carol);
    expect((await carol.get('/dashboard/receive')).text).not.toMatch(/bitcoin address/i);
    expect(page.text).not.toMatch(/bitcoin address/i);
    expect((await carol.post(`${new URL(page.url).pathname}/address`, hiddenFields(page))).status).toBe(404);
    await without.close();
  });
});

describe('a deposit', () => {
  let page: Visit;
  let address: string;
  beforeEach(async () => {
    page = await showAddress(await invoiceOf({ amount: '50,000' }));
    address = addressIn(page);
  });

  it('is followed from the mempool to the balance on the page of the invoice, on Home and in the history', async () => {
    expect(page.text).not.toContain('Paid to the bitcoin address');
    await deposit(address, 50_000);
    await shows(page.url, /Paid to the bitcoin address On-chain deposit \+50,000 sats .* Seen, 0 of 2 confirmations Pending/);
    await chain.mine(1);
    await shows(page.url, / 1 of 2 confirmations Pending/);
    for (const path of ['/dashboard', '/dashboard/history'])
      expect(textOf(await browser.get(path))).toContain('1 of 2 confirmations Pending');
    await chain.mine(1);
    expect(await shows(page.url, /\+47,500 sats .* Received New balance 47,500 sats/)).not.toContain('confirmations Pending');
    expect((await browser.get(page.url)).text).toContain('Waiting for payment');
  });

  it('has a page with its output in the block explorer, its confirmations and its fee', async () => {
    const txid = await deposit(address, 50_000);
    await shows(page.url, /Seen, 0 of 2/);
    const href = /href="(\/dashboard\/history\/[^"]+)"/.exec((await browser.get(page.url)).text)?.[1] ?? '';
    await shows(
      href,
      /\+50,000 sats Pending .* Seen, 0 of 2 confirmations\. It is added to your balance after 2 confirmations, less the deposit/,
    );
    await chain.mine(1);
    const pending = await shows(href, /Confirmations 1 of 2 To Bitcoin wallet of/);
    expect(pending).not.toMatch(/Reserved|Don’t pay/);
    await chain.mine(2);
    const credited = await shows(href, /\+47,500 sats Received/);
    const inList = /\+47,500 sats [^−+]*about (\$[\d.]+)/.exec(textOf(await browser.get('/dashboard/history')))?.[1];
    expect(credited).toContain(`Received about ${inList} at the time`);
    expect(credited).toMatch(/Amount 50,000 sats Deposit fee 2,500 sats Added to your balance 47,500 sats Date .* Confirmations 3 /);
    expect(credited).toContain(`Bitcoin address ${address} Bitcoin output ${txid}:0 View in a block explorer`);
    expect((await browser.get(href)).text).toContain(`href="${EXPLORER.replace('{txid}', txid)}"`);
  });

  it('below the fee says what it waits for', async () => {
    await deposit(address, 2_000);
    await chain.mine(2);
    await shows(page.url, /\+2,000 sats .* Below the deposit fee Pending/);
    const href = /href="(\/dashboard\/history\/[^"]+)"/.exec((await browser.get(page.url)).text)?.[1] ?? '';
    await shows(href, /Below the deposit fee\. It is kept, and added to your balance when more arrives at the same address/);
  });

  it('that a reorganisation takes out is on hold', async () => {
    await deposit(address, 40_000);
    await chain.mine(2);
    await shows(page.url, /\+37,500 sats .* Received/);
    await chain.reorganise(3);
    await shows(page.url, /\+37,500 sats .* On hold Received New balance 0 sats/);
    await chain.mine(3);
    await shows(page.url, /\+37,500 sats .* Received New balance 37,500 sats/);
  });

  it('that is replaced is no longer seen, and then has failed without a word of a refund', async () => {
    const txid = await deposit(address, 40_000);
    await shows(page.url, /Seen, 0 of 2/);
    await chain.replace(txid);
    await shows(page.url, /No longer seen Pending/);
    await chain.mine(6);
    await shows(page.url, /replaced by its sender Failed/);
    const href = /href="(\/dashboard\/history\/[^"]+)"/.exec((await browser.get(page.url)).text)?.[1] ?? '';
    expect(textOf(await browser.get(href))).toMatch(/Replaced by its sender\. .* Nothing was added to your balance\./);
    expect(textOf(await browser.get(href))).not.toContain('Nothing was charged');
  });

  it('of before the invoice is not on its page', async () => {
    await deposit(address, 40_000);
    await shows(page.url, /Seen, 0 of 2/);
    const later = await invoiceOf({ amount: '50,000' });
    expect([addressIn(later), later.text.includes('Paid to the bitcoin address')]).toEqual([address, false]);
  });

  it('is found in the history by its address and its transaction, however long ago it was', async () => {
    const txid = await deposit(address, 40_000);
    await deposit(address, 41_000);
    await shows(page.url, /41,000 sats/);
    // Searches of other texts read the newest 5,000 rows only.
    await app.pool.query(
      `INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, initiation, settlement, external_id_by_owner, created_at, settled_at)
       SELECT gen_random_uuid(), t.account_id, t.wallet_id, 'BTC', 'RECEIVE', 'SUCCESS', 1000, 'ln', 'ln', false, now() + n * interval '1 ms', now()
         FROM transaction t, generate_series(1, 5001) AS n WHERE t.txid = $1`,
      [txid],
    );
    const found = async (q: string, session = browser): Promise<[first: boolean, second: boolean]> => {
      const text = textOf(await session.get(`/dashboard/history?q=${q}`));
      return [text.includes('+40,000 sats'), text.includes('+41,000 sats')];
    };
    expect(await found(address)).toEqual([true, true]);
    expect(await found(address.toUpperCase())).toEqual([true, true]);
    expect(await found(txid)).toEqual([true, false]);
    expect(await found(`${txid}&state=failed`)).toEqual([false, false]);
    const bob = await signIn(app, await new Fixture(app).user());
    expect(await found(txid, bob)).toEqual([false, false]);
  });
});
