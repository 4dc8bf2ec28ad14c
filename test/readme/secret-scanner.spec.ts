import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mintToken } from '../../src/platform/kernel/token.js';
import { PROJECT } from '../support/server-process.js';

const page = readFileSync(join(PROJECT, 'docs', 'leaked-secrets.md'), 'utf8');
const rule = new RegExp(/^regex = '''(.*)'''$/m.exec(page)?.[1] ?? 'no rule', 'g');
const AROUND = [' ', '"', "'", '\n', '=', ':', '/', '`', '(', '<'];

it('finds each of 1,000 secrets in a text', () => {
  const kinds = ['sluice_at', 'sluice_rt', 'sluice_ac', 'sluice_cs', 'sluice_st', 'sluice'];
  const secrets = Array.from({ length: 1_000 }, (_, index) => mintToken(kinds[index % kinds.length] ?? ''));
  const text = secrets
    .map((secret, index) => `KEY${AROUND[index % AROUND.length]}${secret}${AROUND[(index * 7) % AROUND.length]}`)
    .join('');
  expect(text.match(rule)).toEqual(secrets);
});

it('finds nothing in the text of this repository', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT, encoding: 'utf8' }).split('\0').filter(Boolean);
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.filter((file) => readFileSync(join(PROJECT, file), 'latin1').search(rule) >= 0)).toEqual([]);
});
