import { parseBasic } from './basic-client.strategy.js';

const basic = (text: string | Buffer): string => `Basic ${Buffer.from(text as string).toString('base64')}`;

describe('parseBasic', () => {
  it.each([
    ['raw', basic('shop_1-a:s-e_cret'), { id: 'shop_1-a', secret: 's-e_cret' }],
    ['form-encoded', basic('shop%5F1%2Da:s%2De%5Fcret'), { id: 'shop_1-a', secret: 's-e_cret' }],
    ['an empty secret', basic('shop:'), { id: 'shop', secret: '' }],
    ['a scheme in other letters, and spaces', basic('shop:secret').replace('Basic ', 'bAsIc   '), { id: 'shop', secret: 'secret' }],
    ['padding left out', basic('shop:s').replaceAll('=', ''), { id: 'shop', secret: 's' }],
    ['a plus for a space', basic('my+shop:a+b'), { id: 'my shop', secret: 'a b' }],
    ['everything after the first colon', basic('shop:secret:junk'), { id: 'shop', secret: 'secret:junk' }],
  ])('parses %s', (_what, header, credentials) => {
    expect(parseBasic(header)).toEqual(credentials);
  });

  it.each([
    ['nothing', ''],
    ['the scheme alone', 'Basic'],
    ['the scheme and a space', 'Basic '],
    ['another scheme', `Bearer ${Buffer.from('a:b').toString('base64')}`],
    ['a scheme that merely contains it', `xBASICx ${Buffer.from('a:b').toString('base64')}`],
    ['something before it', ` ${basic('a:b')}`],
    ['something after it', `${basic('a:b')} junk`],
    ['two of them', `${basic('a:b')}, ${basic('c:d')}`],
    ['letters that base64 does not have', 'Basic YTpi*w'],
    ['base64url', 'Basic YTp-_w=='],
    ['a length that base64 cannot have', 'Basic YTpiY'],
    ['wrong padding', 'Basic YTpiYw='],
    ['no colon', basic('shop')],
    ['NUL', basic('shop:sec\0ret')],
    ['an encoded NUL', basic('shop:sec%00ret')],
    ['a line break', basic('shop:sec%0d%0aret')],
    ['a malformed escape', basic('shop:%zz')],
    ['half an escape', basic('shop:a%2')],
    ['not UTF-8', basic(Buffer.from([0x61, 0x3a, 0xff, 0xfe]))],
    ['escapes that are not UTF-8', basic('shop:%ff')],
    ['characters outside ASCII', basic('shop:sécret')],
    ['too much', basic(`shop:${'s'.repeat(2_000)}`)],
  ])('refuses %s', (_what, header) => {
    expect(parseBasic(header)).toBeUndefined();
  });
});
