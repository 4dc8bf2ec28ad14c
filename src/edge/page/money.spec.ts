import {
  about,
  bitcoin,
  displayMoney,
  dollars,
  exactFeeText,
  isZero,
  money,
  moneyAbout,
  moneyText,
  signedMoney,
  signedText,
  type Money,
} from './money.js';

const sats = (amount: number): Money => bitcoin(BigInt(amount) * 1_000n);

it.each<[Money, string]>([
  [sats(0), '0 sats'],
  [sats(1), '1 sat'],
  [sats(-1), '−1 sat'],
  [sats(1_000), '1,000 sats'],
  [sats(2_100_000_000_000_000), '2,100,000,000,000,000 sats'],
  [bitcoin(1_999n), '1 sat'],
  [bitcoin(-1_001n), '−2 sats'],
  [dollars(0), '$0.00'],
  [dollars(5), '$0.05'],
  [dollars(1_234), '$12.34'],
  [dollars(123_456_789), '$1,234,567.89'],
  [dollars(-205), '−$2.05'],
])('%j is written %s', (amount, text) => {
  expect(moneyText(amount)).toBe(text);
});

it('signs what moved: a plus for in, a real minus for out, none for nothing', () => {
  expect([sats(21_000), sats(-21_000), sats(0), dollars(5), dollars(-5)].map(signedText)).toEqual([
    '+21,000 sats',
    '−21,000 sats',
    '0 sats',
    '+$0.05',
    '−$0.05',
  ]);
});

it('says the value to machines too, and the direction not by colour alone', () => {
  expect(money(dollars(-123_456)).toString()).toBe('<data value="-1234.56">−$1,234.56</data>');
  expect(signedMoney(sats(-21_000), false).toString()).toBe('<data value="-21000">−21,000 sats</data>');
  expect(signedMoney(sats(50_000), false).toString()).toBe('<data value="50000" class="in">+50,000 sats</data>');
  expect(signedMoney(sats(50_000), true).toString()).toBe('<data value="50000" class="off">+50,000 sats</data>');
});

it.each<[bigint, string]>([
  [1n, '0.001 sats'],
  [512n, '0.512 sats'],
  [1_000n, '1 sat'],
  [1_001n, '1.001 sats'],
  [1_234_500n, '1,234.5 sats'],
])('prints a fee of %d msat exactly', (msat, exact) => {
  expect(exactFeeText(msat)).toBe(exact);
});

it('isZero is true for zero only', () => {
  expect([sats(0), dollars(0), sats(1), bitcoin(1n)].map(isZero)).toEqual([true, true, false, false]);
});

it.each([
  ['EUR', '1234.50', 'about\u00a0<data value="1234.50">€1,234.50</data>'],
  ['USD', '12.34', 'about\u00a0<data value="12.34">$12.34</data>'],
  ['CAD', '12.34', 'about\u00a0<data value="12.34">CA$12.34</data>'],
  ['JPY', '9260', 'about\u00a0<data value="9260">¥9,260</data>'],
  ['CHF', '0.05', 'about\u00a0<data value="0.05">CHF\u00a00.05</data>'],
  ['KWD', '-1.005', 'about\u00a0<data value="-1.005">−KWD\u00a01.005</data>'],
  ['EUR', '0.00', 'less than\u00a0<data value="0.01">€0.01</data>'],
  ['JPY', '0', 'less than\u00a0<data value="1">¥1</data>'],
  ['IDR', '9007199254740993.25', 'about\u00a0<data value="9007199254740993.25">IDR\u00a09,007,199,254,740,993.25</data>'],
])('writes %s %s with the decimal places that it has, exactly', (code, decimal, markup) => {
  expect(about(displayMoney(code, decimal)).toString()).toBe(markup);
});

it('leaves out what an amount is worth without a price, and what nothing is worth', () => {
  const [amount, nothing] = [money(sats(5)).toString(), money(sats(0)).toString()];
  expect(moneyAbout(sats(5), null).toString()).toBe(amount);
  expect(moneyAbout(sats(0), dollars(0)).toString()).toBe(nothing);
  expect(moneyAbout(sats(5), dollars(1)).toString()).toBe(`${amount}<span class="sub">, about\u00a0<data value="0.01">$0.01</data></span>`);
});
