import { pastedText } from './pasted-text.js';

const INVOICE = 'lnbcrt10u1pjexample';
const ZERO_WIDTH = '\u200b\u2060\ufeff';

describe('a pasted text', () => {
  it.each([
    ['as it is', INVOICE],
    ['between spaces and line breaks', ` \r\n\t${INVOICE}\u00a0\n`],
    ['between invisible characters', `${ZERO_WIDTH}\u202a${INVOICE}\u202c\u00ad${ZERO_WIDTH}`],
    ['after the scheme', `lightning:${INVOICE}`],
    ['after the scheme in capitals', `LIGHTNING:${INVOICE}`],
    ['after the scheme with slashes', `Lightning://${INVOICE}`],
    ['after a space that follows the scheme', `lightning: ${ZERO_WIDTH}${INVOICE}`],
    ['in a BIP 21 address', `bitcoin:bcrt1qexample?amount=0.00001&lightning=${INVOICE}&label=A%20shop`],
    ['in a BIP 21 address in capitals', `BITCOIN:BCRT1QEXAMPLE?AMOUNT=0.00001&LIGHTNING=${INVOICE}`],
    ['in a BIP 21 address without an address', `bitcoin:?lightning=${INVOICE}`],
    ['in a BIP 21 address with slashes', `bitcoin://bcrt1qexample?lightning=lightning:${INVOICE}`],
    ['in a web address', `https://shop.example/pay?x=1&lightning=${INVOICE}#top`],
    ['in a web address in capitals', `HTTPS://SHOP.EXAMPLE/PAY?LIGHTNING=${INVOICE}`],
  ])('is read %s', (_, text) => {
    expect(pastedText(text)).toBe(INVOICE);
  });

  it.each(['⚡alice@shop.example', '⚡\ufe0f alice@shop.example', '₿alice@shop.example', 'lightning:⚡ alice@shop.example'])(
    'may be a Lightning address: %s',
    (text) => {
      expect(pastedText(text)).toBe('alice@shop.example');
    },
  );

  it.each([
    'bitcoin:bcrt1qexample',
    'bitcoin:bcrt1qexample?lightning=',
    'https://shop.example/lightning',
    'https://',
    'lnurlp://shop.example/pay?lightning=x',
    'two words',
    'x'.repeat(1_000_000),
  ])('stays %j', (text) => {
    expect(pastedText(text)).toBe(text);
  });

  it.each([
    ['an invoice', `lnbcrt10u1p${'q'.repeat(200)}`],
    ['an LNURL', `LNURL1DP68GURN8GHJ7${'Q'.repeat(60)}`],
  ])('may be %s that a message has broken into lines: its checksum says whether all of it is there', (_, whole) => {
    const lines = whole.match(/.{1,40}/g) ?? [];
    expect(pastedText(lines.join('\r\n  '))).toBe(whole);
    expect(pastedText(`lightning:${lines.join(' ')}`)).toBe(whole);
  });

  it('stays in words where it is too short for an invoice', () => {
    expect(pastedText('lnbc1 coffee')).toBe('lnbc1 coffee');
  });

  it('has no invisible character inside: what it stands for would not be what it shows', () => {
    expect(pastedText('alice\u200b@shop.example')).toBe('alice @shop.example');
  });
});
