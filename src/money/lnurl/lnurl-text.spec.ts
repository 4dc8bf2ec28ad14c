import { lnurlOf, urlOfAddress, urlOfLnurl } from './lnurl-text.js';

/** The example of LUD-01. */
const EXAMPLE_URL = 'https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df';
const EXAMPLE =
  'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS';

describe('an LNURL', () => {
  it('is the bech32 text of LUD-01', () => {
    expect(lnurlOf(EXAMPLE_URL).toUpperCase()).toBe(EXAMPLE);
  });

  it.each([
    EXAMPLE,
    EXAMPLE.toLowerCase(),
    `lightning:${EXAMPLE}`,
    `LIGHTNING:${EXAMPLE}`,
    ` ${EXAMPLE}\n`,
    `https://shop.example/pay?x=1&lightning=${EXAMPLE}`,
    `lnurlp://${EXAMPLE_URL.slice('https://'.length)}`,
    `lnurlp:${EXAMPLE_URL.slice('https://'.length)}`,
    `LNURLP://${EXAMPLE_URL.slice('https://'.length)}`,
    `lightning://${EXAMPLE}`,
    `HTTPS://SHOP.EXAMPLE/PAY?LIGHTNING=${EXAMPLE}`,
    `\u200b${EXAMPLE}\ufeff`,
    `bitcoin:bc1qx?lightning=${EXAMPLE}`,
  ])('is read from %s', (text) => {
    expect(urlOfLnurl(text)?.href).toBe(EXAMPLE_URL);
  });

  it('may be a Lightning address', () => {
    expect(urlOfLnurl('lightning:Alice@Shop.example')?.href).toBe('https://shop.example/.well-known/lnurlp/alice');
  });

  it.each([
    '',
    'text',
    'lnbcrt1qqq',
    EXAMPLE.replace('DP', 'dp'),
    EXAMPLE.slice(0, -1),
    `${EXAMPLE.slice(0, -1)}Q`,
    'https://shop.example/pay',
    'https://shop.example/pay?lightning=x',
    lnurlOf('ftp://shop.example/'),
    lnurlOf('no url'),
    lnurlOf('http://shopshopshop.onion/pay'),
    lnurlOf('https://shopshopshop.ONION./pay'),
    'lnurlp://shopshopshop.onion/pay',
    'lnurlp://',
    'x'.repeat(20_000),
    '\0',
  ])('is not %j', (text) => {
    expect(urlOfLnurl(text)).toBeUndefined();
  });
});

describe('a Lightning address', () => {
  it.each([
    ['alice@shop.example', 'https://shop.example/.well-known/lnurlp/alice'],
    ['ALICE@SHOP.example', 'https://shop.example/.well-known/lnurlp/alice'],
    ['a.b-c_d+tag@shop.example:8443', 'https://shop.example:8443/.well-known/lnurlp/a.b-c_d+tag'],
    ['⚡\ufe0fAlice+Tip@shop.example', 'https://shop.example/.well-known/lnurlp/alice+tip'],
    ['₿alice@shop.example', 'https://shop.example/.well-known/lnurlp/alice'],
    ['lightning:alice@shop.example\u200b', 'https://shop.example/.well-known/lnurlp/alice'],
    ['1@[::1]', 'https://[::1]/.well-known/lnurlp/1'],
  ])('%s stands for %s', (text, url) => {
    expect(urlOfAddress(text)?.href).toBe(url);
  });

  it.each([
    '',
    'alice',
    '@shop.example',
    'alice@',
    'alice@@shop.example',
    'alice@shop.example@evil.example',
    'alice@shop.example/x',
    'alice@shop.example?x',
    'alice@shop.example#x',
    'alice@shop.example\\x',
    'al ice@shop.example',
    'al%2fice@shop.example',
    '..@shop.example',
    '.@shop.example',
    'älice@shop.example',
    'alice@shopshopshop.onion',
    `${'a'.repeat(65)}@shop.example`,
    `alice@${'a'.repeat(256)}`,
    EXAMPLE,
  ])('is not %j', (text) => {
    expect(urlOfAddress(text)).toBeUndefined();
  });
});
