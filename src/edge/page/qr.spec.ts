import qrcode from 'qrcode-generator';
import { qr } from './qr.js';

const INVOICE = `LNBCRT42U1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(9)}`;

/** Dark modules as the strokes draw them, quiet zone included. */
function modules(markup: string): { size: number; dark: ReadonlySet<string> } {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(markup)?.[1]);
  const dark = new Set<string>();
  for (const [, x, y, length] of markup.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let column = 0; column < Number(length); column++) dark.add(`${Number(x) + column},${y}`);
  }
  return { size, dark };
}

it('is an image with a name, one path, black on white, without inline styles', () => {
  const markup = qr({ value: 'alice@localhost', label: 'QR code of "it"', mini: true }).toString();
  expect(markup).toMatch(/^<svg class="qr mini" role="img" aria-label="QR code of &quot;it&quot;"/);
  expect(markup.match(/<path/g)).toHaveLength(1);
  expect(markup).toContain('fill="#fff"');
  expect(markup).toContain('stroke="#000"');
  expect(markup).not.toContain('style');
});

it.each(['alice@localhost', INVOICE])('keeps four white modules around %s', (value) => {
  const { size, dark } = modules(qr({ value, label: 'QR' }).toString());
  const coordinates = [...dark].flatMap((module) => module.split(',').map(Number));
  expect([Math.min(...coordinates), Math.max(...coordinates)]).toEqual([4, size - 5]);
  // The three finder patterns: a corner module is dark, the ring inside it is light.
  const [first, last] = [4, size - 5];
  for (const [x, y] of [
    [first, first],
    [last, first],
    [first, last],
  ])
    expect(dark.has(`${x},${y}`)).toBe(true);
  expect(dark.has(`${first + 1},${first + 1}`)).toBe(false);
});

it('is smaller for capital letters', () => {
  const size = (value: string): number => modules(qr({ value, label: 'QR' }).toString()).size;
  expect(size(INVOICE)).toBeLessThan(size(INVOICE.toLowerCase()));
});

it('is smaller for capital letters between other ones', () => {
  const size = (value: string): number => modules(qr({ value, label: 'QR' }).toString()).size;
  expect(size(`bitcoin:x?lightning=${INVOICE}`)).toBeLessThan(size(`bitcoin:x?lightning=${INVOICE.toLowerCase()}`));
});

it('leaves room for the rest of a page with an ordinary invoice', () => {
  expect(qr({ value: INVOICE, label: 'QR' }).toString().length).toBeLessThan(12_000);
});

describe('kept codes', () => {
  const make = jest.spyOn(qrcode, 'stringToBytes');
  const madeFor = (...values: readonly string[]): number => {
    make.mockClear();
    for (const value of values) qr({ value, label: 'QR' });
    return make.mock.calls.length;
  };

  it('are made once for a text, whatever their label and size', () => {
    expect(madeFor('bob@localhost', 'bob@localhost', 'carol@localhost')).toBe(2);
    expect(qr({ value: 'bob@localhost', label: 'another', mini: true }).toString()).toContain('aria-label="another"');
    expect(madeFor('carol@localhost')).toBe(0);
  });

  it('are bounded: the oldest is made again', () => {
    expect(madeFor(...Array.from({ length: 20 }, (_, n) => `${n}${'x'.repeat(2_900)}`))).toBe(20);
    expect(madeFor('bob@localhost')).toBe(1);
  });
});
