import { qr } from '../../src/edge/page/index.js';
import { urlOfLnurl } from '../../src/money/lnurl/lnurl-text.js';
import { PayOfferService } from '../../src/money/lnurl/index.js';
import type { TestApp } from '../support/app.js';
import { hiddenFields, BrowserSession, type Fields, type Visit } from '../support/browser-session.js';
import { eventually } from '../../src/testing/eventually.js';
import { createDollarApp, PRICE, setPrice } from '../support/dollars.js';
import { PASSWORD, Fixture } from '../support/fixture.js';

/** The form that creates an invoice names a fault in the same words above the form and beside the field, and keeps the input. */
describe('POST /dashboard/receive', () => {
  let app: TestApp;
  let browser: BrowserSession;
  let form: Visit;
  let username: string;

  beforeAll(async () => {
    app = await createDollarApp();
    const { email, ...person } = await new Fixture(app).user();
    username = person.username;
    browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email, password: PASSWORD });
    form = await browser.get('/dashboard/receive');
  });
  afterAll(() => app.close());

  const send = (fields: Fields): Promise<Visit> =>
    browser.post('/dashboard/receive', { ...hiddenFields(form), unit: 'sats', memo: '', ...fields });
  /** The text of the summary's link to a field, and the error beside that field. */
  const saidOf = ({ text }: Visit, field: string): (string | undefined)[] => [
    new RegExp(`<a href="#${field}">([^<]*)</a>`).exec(text)?.[1],
    new RegExp(`id="${field}-error">([^<]*)<`).exec(text)?.[1],
  ];

  it.each<[string, Fields, string]>([
    ['nothing', { amount: '' }, 'Enter an amount of at least 1 sat.'],
    ['zero', { amount: '0' }, 'Enter an amount of at least 1 sat.'],
    ['a part of a sat', { amount: '1.5' }, 'Sats are whole numbers. Remove the decimals.'],
    ['too many digits', { amount: '9'.repeat(16) }, 'The largest amount is 10,000,000,000,000 sats.'],
    ['more than all', { amount: '99999999999999' }, 'The largest amount is 10,000,000,000,000 sats.'],
    // A bitcoin costs $50,000.
    ['more dollars than that is worth', { amount: '9'.repeat(16), unit: 'USD' }, 'The largest amount is $5,000,000,000.00.'],
    ['what can be read twice', { amount: '1.000' }, 'Did you mean 1,000 sats or 1 sat? Enter 1000 or 1.'],
    ['words', { amount: 'a lot' }, 'Enter a number of sats, for example 1,000.'],
    ['dollars in words', { amount: 'ten', unit: 'USD' }, 'Enter an amount in dollars, for example 12.34.'],
  ])('%s', async (_, fields, said) => {
    const page = await send({ ...fields, memo: 'Two teas' });
    expect([page.status, ...saidOf(page, 'amount')]).toEqual([422, said, said]);
    for (const kept of [`value="${String(fields['amount'])}"`, 'value="Two teas"']) expect(page.text).toContain(kept);
  });

  it('shows the Lightning address as the QR code of an LNURL, which every wallet reads', async () => {
    const lnurl = app.get(PayOfferService).lnurlOf(username);
    expect(urlOfLnurl(`LIGHTNING:${lnurl}`)?.href).toBe(`${app.url}/.well-known/lnurlp/${username}`);
    const { d } = /d="(?<d>[^"]+)"/.exec(String(qr({ value: `LIGHTNING:${lnurl}`, label: '' })))?.groups ?? {};
    expect((await browser.get('/dashboard/receive')).text).toContain(`d="${String(d)}"`);
  });

  it('takes dollars, rounded up to whole sats, while there is a price, and only sats without one', async () => {
    await setPrice(app, 6_125_000n);
    const { location } = await send({ amount: '2', unit: 'USD' });
    expect((await browser.get(location)).text).toContain('<h1>Receive 3,266 sats</h1>');
    await setPrice(app, undefined);
    const { text } = await browser.get('/dashboard/receive');
    expect([text.includes('Enter sats: this server has no price of dollars now.'), text.includes('US dollar<')]).toEqual([true, false]);
    const page = await send({ amount: '2', unit: 'USD' });
    expect([page.status, ...saidOf(page, 'amount')]).toEqual([
      422,
      ...Array<string>(2).fill('No price is available now. Enter the amount in sats.'),
    ]);
    await setPrice(app, PRICE);
  });

  describe('into the wallet in dollars', () => {
    const textOf = ({ text }: Visit): string =>
      text
        .slice(text.indexOf('<main'))
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ');
    const ask = async (fields: Fields): Promise<Visit> => browser.get((await send({ ...fields, wallet: 'USD' })).location);
    const requestIn = ({ text }: Visit): string => /<code id="invoice">(\w+)</.exec(text)?.[1] ?? '';

    it('asks for the sats that bring the dollars, and shows across a counter that they came', async () => {
      expect(textOf(form)).toContain('Into Bitcoin wallet US dollar wallet');
      const open = await ask({ amount: '5', unit: 'USD', memo: 'Two teas' });
      // At a bid of $49,500.
      expect(textOf(open)).toMatch(/Receive \$5\.00 About 10,102 sats ?, paid into your US dollar wallet · Two teas/);
      expect(textOf(await browser.get('/dashboard/receive/invoices'))).toMatch(/Two teas \$5\.00 .*Waiting/);
      await new Fixture(app).simulator.payOutside(requestIn(open));
      const paid = await eventually(async () => {
        const page = await browser.get(open.url);
        return page.text.includes('Received $5.00') && page;
      });
      expect(textOf(paid)).toMatch(/Received \$5\.00 Paid \$5\.00 about 10,\d+ sats Received .*New balance \$5\.00/);
      expect(paid.text).toContain('<svg class="in" width="88"');
    });

    it('asks for the sats that were typed', async () => {
      expect(textOf(await ask({ amount: '10,000' }))).toMatch(/Receive \$4\.95 About 10,000 sats ?, paid into your US dollar wallet/);
    });

    it.each<[string, Fields, string]>([
      ['nothing', { amount: '' }, 'Enter an amount of at least 1 sat.'],
      ['less than a cent', { amount: '1' }, 'Enter an amount that is worth at least $0.01.'],
      [
        'more than the dealer sells',
        { amount: '90000000', unit: 'USD' },
        'This server accepts no more dollars now. Receive into your Bitcoin wallet.',
      ],
    ])('refuses %s, and keeps the choice', async (_, fields, said) => {
      const page = await send({ ...fields, wallet: 'USD' });
      expect([page.status, ...saidOf(page, 'amount')]).toEqual([422, said, said]);
      expect(page.text).toContain('<option value="USD" selected>US dollar wallet');
    });

    it('is no choice without a price', async () => {
      await setPrice(app, undefined);
      expect((await browser.get('/dashboard/receive')).text).not.toContain('name="wallet"');
      const page = await send({ amount: '500', wallet: 'USD' });
      expect([page.status, ...saidOf(page, 'amount')]).toEqual([
        422,
        ...Array<string>(2).fill('No price is available now. Receive into your Bitcoin wallet.'),
      ]);
      await setPrice(app, PRICE);
    });
  });

  it('refuses a description that is too long', async () => {
    const page = await send({ amount: '5', memo: 'é'.repeat(320) });
    expect([page.status, ...saidOf(page, 'memo')]).toEqual([
      422,
      'Description is too long',
      'Use at most 639 bytes: shorten the text or remove emoji.',
    ]);
  });
});
