import { bindingCookies, bindingIn, isHandle, newHandle } from './binding.js';

const HTTP = 'http://localhost:4000';
const HTTPS = 'https://wallet.example';
it('creates unique handles of 43 characters', () => {
  const handles = new Set(Array.from({ length: 1_000 }, newHandle));
  expect(handles.size).toBe(1_000);
  for (const handle of handles) expect(isHandle(handle)).toBe(true);
  for (const text of ['', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}\0`, `${'a'.repeat(42)}+`]) expect(isHandle(text)).toBe(false);
});

describe('bindingCookies', () => {
  it('binds each request to the browser by its own cookie', () => {
    const [one, other] = [newHandle(), newHandle()];
    const set = [bindingCookies({}, one, 'binding-1', HTTP, 60), bindingCookies({}, other, 'binding-2', HTTP, 60)].flat();
    const sent = Object.fromEntries(set.map(({ name, value }) => [name, value]));
    expect(bindingIn(sent, one, HTTP)).toBe('binding-1');
    expect(bindingIn(sent, other, HTTP)).toBe('binding-2');
    expect(bindingIn(sent, newHandle(), HTTP)).toBeUndefined();
    expect(bindingIn({}, one, HTTP)).toBeUndefined();
  });

  it('is HttpOnly, SameSite and host-bound: scripts, posts of other sites and sibling domains cannot use it', () => {
    const challenge = newHandle();
    const options = { path: '/', maxAge: 60, httpOnly: true, sameSite: 'lax' };
    expect(bindingCookies({}, challenge, 'b', HTTPS, 60)).toEqual([
      { name: expect.stringMatching(/^__Host-sluice-i-[\w-]{10}$/), value: 'b', options: { ...options, secure: true } },
    ]);
    expect(bindingCookies({}, challenge, 'b', HTTP, 60)).toEqual([
      { name: expect.stringMatching(/^sluice-i-[\w-]{10}$/), value: 'b', options: { ...options, secure: false } },
    ]);
    expect(bindingIn({ [`sluice-i-${challenge.slice(0, 10)}`]: 'b' }, challenge, HTTPS)).toBeUndefined();
  });

  it('deletes the oldest cookies above the maximum', () => {
    const held = new Map([['other', '1']]);
    for (let i = 0; i < 40; i++) {
      for (const { name, value, options } of bindingCookies(Object.fromEntries(held), newHandle(), `b${i}`, HTTP, 60)) {
        held.delete(name);
        if (options.maxAge !== 0) held.set(name, value);
      }
    }
    expect(held.size).toBe(13);
    expect([...held][0]).toEqual(['other', '1']);
    expect([...held.values()].at(-1)).toBe('b39');
  });
});
