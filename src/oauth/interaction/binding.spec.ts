import { bindingCookies, bindingIn, isHandle, newHandle } from './binding.js';

const HTTP = 'http://localhost:4000';
const HTTPS = 'https://wallet.example';
/** What a browser sends back of a Set-Cookie header. */
const sent = (header: string): string => header.split(';')[0] ?? '';

it('creates unique handles of 43 characters', () => {
  const handles = new Set(Array.from({ length: 1_000 }, newHandle));
  expect(handles.size).toBe(1_000);
  for (const handle of handles) expect(isHandle(handle)).toBe(true);
  for (const text of ['', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}\0`, `${'a'.repeat(42)}+`]) expect(isHandle(text)).toBe(false);
});

describe('bindingCookies', () => {
  it('binds each request to the browser by its own cookie', () => {
    const [one, other] = [newHandle(), newHandle()];
    const header = [bindingCookies(undefined, one, 'binding-1', HTTP, 60), bindingCookies(undefined, other, 'binding-2', HTTP, 60)]
      .flat()
      .map(sent)
      .join('; ');
    expect(bindingIn(header, one, HTTP)).toBe('binding-1');
    expect(bindingIn(header, other, HTTP)).toBe('binding-2');
    expect(bindingIn(header, newHandle(), HTTP)).toBeUndefined();
    expect(bindingIn(undefined, one, HTTP)).toBeUndefined();
  });

  it('is HttpOnly, SameSite and host-bound: scripts, posts of other sites and sibling domains cannot use it', () => {
    const challenge = newHandle();
    expect(bindingCookies(undefined, challenge, 'b', HTTPS, 60)).toEqual([
      expect.stringMatching(/^__Host-sluice-i-[\w-]{10}=b; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    expect(bindingCookies(undefined, challenge, 'b', HTTP, 60)).toEqual([
      expect.stringMatching(/^sluice-i-[\w-]{10}=b; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax$/),
    ]);
    expect(bindingIn(`sluice-i-${challenge.slice(0, 10)}=b`, challenge, HTTPS)).toBeUndefined();
  });

  it('deletes the oldest cookies above the maximum', () => {
    let held: string[] = ['other=1'];
    for (let i = 0; i < 40; i++) {
      for (const header of bindingCookies(held.join('; '), newHandle(), `b${i}`, HTTP, 60)) {
        const name = `${header.split('=')[0]}=`;
        held = held.filter((cookie) => !cookie.startsWith(name));
        if (!header.includes('Max-Age=0')) held.push(sent(header));
      }
    }
    expect(held).toHaveLength(13);
    expect(held[0]).toBe('other=1');
    expect(held.at(-1)).toMatch(/=b39$/);
  });
});
