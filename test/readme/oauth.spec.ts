import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from '../architecture/files.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Errors of the API that the authorization server does not send itself (RFC 6750 section 3.1). */
const OF_THE_API = ['insufficient_scope'];

it('docs/oauth.md lists every error of the authorization server and of the API', () => {
  const [, table = ''] = /## Every `error`\n([^]*)$/.exec(read('docs/oauth.md')) ?? [];
  const listed = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) => codesIn(cell)).filter((code) => code !== 'error');
  const [, union = ''] = /export type OAuthErrorCode =([^;]*);/.exec(read('src/access/oauth/oauth-error.ts')) ?? [];
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(15);
  expect(listed.sort()).toEqual([...codes, ...OF_THE_API].sort());
});

describe('docs/threat-model.md', () => {
  const page = read('docs/threat-model.md');
  const sections = page.split(/^(?=##+ )/m);
  const proofs = [...page.matchAll(/Proof: ([^]*?)\.$/gm), ...page.matchAll(/^\|.*\| ([^|]*) \|$/gm)].flatMap(([, cell = '']) =>
    codesIn(cell),
  );

  it('names tests that exist', () => {
    const tests = filesBelow('test').filter((path) => path.endsWith('.ts') && path !== 'test/readme/oauth.spec.ts');
    const texts = tests.map(read).join('\n');
    const attacks = new Set([...texts.matchAll(/['"`](A-\d\d)(?:[:,]| to )/g)].map(([, attack = '']) => attack));
    /** Attacks are named by their number; other titles are quoted as they end in the source, or as the row of a table of cases begins. */
    const isTitle = (name: string): boolean => {
      const inSource = name.replace(/^fapi2-security-profile-final-/, '');
      return attacks.has(name) || ["'", '`', '"'].some((quote) => texts.includes(`${inSource}${quote}`));
    };
    expect(proofs.length).toBeGreaterThan(60);
    expect(proofs.filter((name) => !isTitle(name))).toEqual([]);
    expect(isTitle('A-99')).toBe(false);
  });

  it('has every heading of RFC 9700, section 4, each with a proof', () => {
    const attacks = sections.filter((section) => section.startsWith('### 4.'));
    const numbers = attacks.flatMap((section) => section.split('\n')[0]?.match(/\b4\.\d+/g) ?? []);
    expect(numbers).toEqual(Array.from({ length: 17 }, (_, index) => `4.${index + 1}`));
    expect(attacks.filter((section) => !section.includes('Proof: `'))).toEqual([]);
  });
});
