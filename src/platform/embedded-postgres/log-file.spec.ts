import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from './postmaster.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
const path = join(folder, 'postgres.log');
afterAll(() => rmSync(folder, { recursive: true }));

it('keeps the newest lines in two files of bounded size, over restarts', () => {
  const megabyte = `${'x'.repeat(999_999)}\n`;
  for (let restart = 0; restart < 3; restart++) {
    const log = new LogFile(path);
    for (let i = 0; i < 7; i++) log.write(megabyte);
    log.write(`end of ${restart}\n`);
  }
  const files = [path, `${path}.1`];
  for (const file of files) expect(statSync(file).size).toBeLessThan(6_100_000);
  expect(readFileSync(path, 'utf8')).toMatch(/end of 2\n$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('returns the latest lines, and none from before its reset', () => {
  const log = new LogFile(path);
  log.write('LOG:  old\n');
  log.forgetRecent();
  log.write('FATAL:  lock file');
  log.write(' exists\n');
  expect(log.recent).toBe('FATAL:  lock file exists');
});

it('works without a file where it cannot write', () => {
  const log = new LogFile(join(folder, 'nowhere/postgres.log'));
  log.write('PANIC:  no space left on device\n');
  expect(log.recent).toContain('no space left');
});
