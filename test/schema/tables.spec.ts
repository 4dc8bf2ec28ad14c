import { Workshop } from './workshop.js';

const OPERATING = 'docs/operating.md';
const API = 'docs/api.md';
const CODES = 'src/graphql/error-codes.ts';

describe('npm run docs:check', () => {
  const workshop = new Workshop(['scripts', 'src/testing/jest', 'nest-cli.json', 'src/config', 'src/logging', CODES, OPERATING, API]);
  const check = () => workshop.run('scripts/tables.js', '--check');
  beforeEach(() => workshop.restore());
  afterAll(() => workshop.close());

  it('passes for the committed documents', () => {
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('tables agree with the code') });
  });

  it.each<[what: string, path: string, from: string, to: string, stale: string]>([
    ['a stale row', OPERATING, '| `PORT` | `4000` |', '| `PORT` | `4001` |', OPERATING],
    ['a missing row', OPERATING, '| `PORT` |', '| PORT |', OPERATING],
    ['a changed default', 'src/config/environment.ts', 'PORT = 4000', 'PORT = 4001', OPERATING],
    ['a reworded variable', 'src/config/variables.ts', 'port of HTTP', 'the port of HTTP', OPERATING],
    ['a stale error code', API, '| `NOT_FOUND` |', '| `NOT_THERE` |', API],
    ['a stale log event', OPERATING, '| `events_current` | info |', '| `events_current` | warn |', OPERATING],
    ['a reworded log event', 'src/logging/server-events.ts', 'Events are read again', 'Events are current', OPERATING],
    ['a new error code', CODES, '  NOT_FOUND:', "  LOST: 'the outcome is lost',\n  NOT_FOUND:", API],
  ])('fails for %s', (_what, path, from, to, stale) => {
    workshop.plant(path, from, to);
    expect(check()).toEqual({ status: 1, output: expect.stringContaining(`${stale} differs from the code. Run \`npm run docs\``) });
    expect(workshop.run('scripts/tables.js')).toMatchObject({ status: 0 });
    expect(check()).toMatchObject({ status: 0 });
  });

  it('fails for a table that no document has', () => {
    workshop.plant(API, '<!-- generated: error codes -->', '');
    expect(check()).toEqual({ status: 1, output: expect.stringContaining('No document has the table "error codes"') });
  });
});
