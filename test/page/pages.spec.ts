import { ASSETS, type PageKind } from '../../src/edge/page/index.js';
import { HOSTILE, SAMPLE_SECRET, SAMPLES, type Sample } from './samples.js';

const PAGE_BYTES = 60 * 1024;
/** The kinds of pages with scripts, and the attributes of their script tags; all others have none. */
const SCRIPTS: Partial<Record<PageKind['kind'], { readonly count: number; readonly form: RegExp }>> = {
  dashboard: { count: 1, form: /^ type="module" src="\/assets\/enhance\.[0-9a-f]{12}\.js" nonce="[A-Za-z0-9+/=]+"$/ },
  editor: { count: 4, form: /^ src="\/assets\/(?:react|react-dom|graphiql|editor)\.[0-9a-f]{12}\.js" nonce="[A-Za-z0-9+/=]+" defer$/ },
};
const PASSKEY = /^ type="module" src="\/assets\/passkey\.[0-9a-f]{12}\.js" nonce="[A-Za-z0-9+/=]+"$/;
const css = ASSETS.style.body.toString();
const pages = SAMPLES.map((sample): [string, Sample, string] => [sample.name, sample, sample.html.toString()]);
const all = (markup: string, pattern: RegExp): string[] => [...markup.matchAll(pattern)].map(([, found = '']) => found);
const title = (markup: string): string => all(markup, /<title>([^<]*)<\/title>/g).join('');

describe.each(pages)('%s', (name, { kind, status }, markup) => {
  it('contains nothing inline that the policy would refuse', () => {
    const scripts = all(markup, /<script([^>]*)>/g).filter((script) => !('nonce' in kind && PASSKEY.test(script)));
    const { count, form } = SCRIPTS[kind.kind] ?? { count: 0, form: /^$/ };
    expect(scripts).toHaveLength(count);
    for (const script of scripts) expect(script).toMatch(form);
    expect(markup).not.toMatch(/<script[^>]*>[^<]|<style|<[^>]*\sstyle=|<[a-z][^<>]*\son[a-z]+=|javascript:|<iframe|<base/i);
    expect(all(markup, /(?:src|<link[^>]*href)="([^"]*)"/g).filter((address) => !address.startsWith('/assets/'))).toEqual([]);
  });

  it('has one main heading, a language, a title and a landmark', () => {
    expect(markup.match(/<h1[\s>]/g)).toHaveLength(1);
    expect(markup).toMatch(/^<!doctype html>\s*<html lang="en">/);
    expect(title(markup)).toMatch(/^(Error: )?\S.* - Example Pay$/);
    expect(markup.match(/<main id="main"/g)).toHaveLength(1);
  });

  it('says the name of the brand and where to get help, and not the name of the software', () => {
    expect(markup).not.toContain('Sluice');
    expect(markup).toMatch(/height="28" \/>Example Pay<\/(?:a|p)>/);
    expect(markup).toContain('Support: <a href="mailto:help@example.test">help@example.test</a>');
  });

  it('has unique ids, and every reference leads to one', () => {
    const ids = all(markup, /\sid="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const references = [
      ...all(markup, /\s(?:for|popovertarget|data-copy|aria-labelledby)="([^"]*)"/g),
      ...all(markup, /\saria-describedby="([^"]*)"/g).flatMap((list) => list.split(' ')),
      ...all(markup, /\shref="#([^"]*)"/g),
    ];
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('sends a CSRF token with every form', () => {
    // It goes to an app, which has no token of ours.
    if (kind.kind === 'response') return expect(markup).not.toContain('csrf');
    for (const form of all(markup, /<form[^>]*method="post"[^>]*>([\s\S]*?)<\/form>/g)) expect(form).toContain('name="csrf" value="');
    // A form of GET changes nothing, and its fields are in the address: no token belongs there.
    for (const form of all(markup, /<form[^>]*method="get"[^>]*>([\s\S]*?)<\/form>/g)) expect(form).not.toContain('csrf');
    expect(markup).not.toMatch(/<form(?![^>]*method="(?:post|get)")/);
  });

  it('labels and describes every field, and prints no password', () => {
    for (const input of all(markup, /<input ([^>]*)>/g).filter((each) => !/type="(hidden|checkbox|radio)"/.test(each))) {
      const id = /id="([^"]+)"/.exec(input)?.[1] ?? '';
      expect(markup).toContain(`<label for="${id}">`);
      expect(input).toMatch(/autocomplete="[a-z-]+"/);
      if (input.includes('type="password"')) expect(input).not.toContain('value=');
    }
  });

  it('reports a fault in title, summary and status', () => {
    const summary = markup.includes('role="alert"');
    expect(title(markup).startsWith('Error: ')).toBe(summary);
    if (summary) expect(status).toBeGreaterThanOrEqual(400);
  });

  it('stays small, and shows secrets only on pages that show them once', () => {
    expect(Buffer.byteLength(markup)).toBeLessThanOrEqual(PAGE_BYTES);
    expect(markup.includes(SAMPLE_SECRET)).toBe(name === 'key-created' || name === 'webhook-secret' || name === 'application-credentials');
  });

  it('prints untrusted text with bounded length', () => {
    expect(markup).not.toMatch(/<img src=x|<svg onload/);
    expect(markup).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/);
    expect(markup).not.toContain('W'.repeat(640));
  });
});

it('shows hostile names on every page that shows names', () => {
  const hostile = pages.filter(([name]) => name.includes('hostile'));
  expect(hostile.length).toBeGreaterThanOrEqual(2 * Object.keys(HOSTILE).length);
  expect(hostile.filter(([, , markup]) => markup.includes('&lt;img src=x')).length).toBeGreaterThanOrEqual(5);
});

it('names each sample once', () => {
  expect(new Set(SAMPLES.map(({ name }) => name)).size).toBe(SAMPLES.length);
});

it('styles every class that pages use, and no other', () => {
  const used = new Set(pages.flatMap(([, , markup]) => all(markup, /\sclass="([^"]*)"/g)).flatMap((list) => list.split(' ')));
  const styled = new Set(all(css, /\.([a-z][a-z-]*)(?![^{]*;)/g));
  expect([...styled].filter((name) => !used.has(name))).toEqual([]);
  expect([...used].filter((name) => !styled.has(name))).toEqual([]);
});

it('uses amber only for permission to move money', () => {
  const amber = pages.filter(([, , markup]) => /class="[^"]*\bmoney\b/.test(markup)).map(([name]) => name);
  expect(amber.filter((name) => !/^(consent|keys?|apps?|applications?)(-|$)/.test(name))).toEqual([]);
});

it('never checks a permission to move money in advance: only a person has, in a form that comes back', () => {
  const boxes = pages.map(([name, , markup]) => [name, all(markup, /<label class="scope money"[^>]*>\s*<input ([^>]*)>/g)] as const);
  expect(boxes.flatMap(([, found]) => found).length).toBeGreaterThan(0);
  const checked = boxes.filter(([, found]) => found.some((box) => box.includes('checked')));
  expect(checked.map(([name]) => name)).toEqual(['consent-keys-alone', 'application-edit-error']);
});

it('shows a single scope without a checkbox', () => {
  const single = pages.filter(([name]) => /^consent-(read|write|openid)-only$/.test(name));
  expect(single).toHaveLength(3);
  for (const [, , markup] of single) expect(markup).not.toContain('type="checkbox"');
});

it('omits features that do not exist yet', () => {
  expect(pages.filter(([, , markup]) => /two-step/i.test(markup)).map(([name]) => name)).toEqual([]);
});
