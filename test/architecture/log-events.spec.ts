import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCESS_EVENTS } from '../../src/platform/logging/access-events.js';
import type { LogEventEntry } from '../../src/platform/logging/entry.js';
import { LOG_EVENTS } from '../../src/platform/logging/index.js';
import { MONEY_EVENTS } from '../../src/platform/logging/money-events.js';
import { SERVER_EVENTS } from '../../src/platform/logging/server-events.js';
import { filesBelow, ROOT } from './files.js';

type Catalogue = Readonly<Record<string, LogEventEntry>>;
type Sources = Readonly<Record<string, string>>;

const COMPONENTS =
  /^(deposit|payment|price|settlement|invoice|ledger|lightning|auth|oauth|idempotency|identity|page|process|database|demo|events|graphql|http|health|job|onchain|payout|rate_limit|reconciliation|socket|webhook)(_[a-z]+)+$/;

function faultsOf(catalogue: Catalogue, sources: Sources): string[] {
  const all = Object.values(sources).join('\n');
  const unnamed = Object.keys(catalogue).filter((event) => !COMPONENTS.test(event));
  const unused = Object.keys(catalogue).filter((event) => !all.includes(`'${event}'`));
  const bypassing = Object.entries(sources).filter(([, text]) => /\bLogger\b[^;]* from '@nestjs\/common'|\bconsole\.\w+\(/.test(text));
  return [
    ...unnamed.map((event) => `${event}: is not <component>_<what>`),
    ...unused.map((event) => `${event}: is never logged`),
    ...bypassing.map(([path]) => `${path}: logs without an event`),
  ];
}

/** Everything that runs in a server; commands and scripts print to a terminal. */
const SOURCES: Sources = Object.fromEntries(
  filesBelow('src')
    .filter(
      (path) =>
        path.endsWith('.ts') && !/\.spec\.ts$|^src\/(platform\/logging|testing|cli|generated)\/|^src\/(app\/serve|main)\.ts$/.test(path),
    )
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);

describe('log events', () => {
  it('have one catalogue, which the code uses', () => {
    const parts = [MONEY_EVENTS, ACCESS_EVENTS, SERVER_EVENTS].map((part) => Object.keys(part).length);
    expect(parts.reduce((sum, length) => sum + length)).toBe(Object.keys(LOG_EVENTS).length);
    expect(Object.keys(LOG_EVENTS).length).toBeGreaterThan(70);
    expect(faultsOf(LOG_EVENTS, SOURCES)).toEqual([]);
  });

  const entry: LogEventEntry = { level: 'warn', meaning: 'It rained', action: 'Take a coat' };
  const sound = { ledger_rained: entry };
  const code = { 'src/a.ts': "this.log.warn('ledger_rained', {}, 'It rained');" };

  it('have no fault where catalogue and code agree', () => {
    expect(faultsOf(sound, code)).toEqual([]);
  });

  it.each<[string, string[], Catalogue, Sources]>([
    ['an event that no code logs', ['ledger_rained: is never logged'], sound, {}],
    ['a name without its component', ['rained: is not <component>_<what>'], { ...sound, rained: entry }, { b: "'rained'", ...code }],
    ["a plain logger of Nest's", ['b.ts: logs without an event'], sound, { ...code, 'b.ts': "import { Logger } from '@nestjs/common';" }],
    ['a line to the console', ['b.ts: logs without an event'], sound, { ...code, 'b.ts': "console.warn('rain');" }],
  ])('would be refused: %s', (_what, faults, catalogue, sources) => {
    const found = faultsOf(catalogue, sources);
    for (const fault of faults) expect(found).toContainEqual(expect.stringContaining(fault));
  });
});
