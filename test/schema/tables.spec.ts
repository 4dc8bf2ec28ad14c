import { Workshop } from './workshop.js';

const OPERATING = 'docs/operating.md';
const API = 'docs/api.md';
const CODES = 'src/graphql/error-codes.ts';
const HANDLING = 'src/graphql/error-handling.ts';
const OPERATIONS = 'src/client/operations.graphql';
const EXAMPLES = 'src/client/examples.json';
const SDL = 'schema.graphql';

describe('npm run docs:check', () => {
  const workshop = new Workshop([
    ...['scripts', 'src/testing/jest', 'nest-cli.json', 'src/config', 'src/logging', CODES, HANDLING, OPERATIONS, EXAMPLES, SDL],
    ...[OPERATING, API],
  ]);
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
    ['a reworded error code', CODES, 'payer and recipient are', 'the payer and the recipient are', API],
    ['another thing to do about an error', HANDLING, 'choose another recipient', 'choose one', API],
    ['a reworded operation', SDL, 'Server information, the same', 'Information, the same', API],
    ['an argument with another default', SDL, '= "USD"): RealtimePrice!', '= "EUR"): RealtimePrice!', API],
    [
      'another operation of an example',
      OPERATIONS,
      '    lightningAddressDomain\n    nodesIds\n',
      '    nodesIds\n    lightningAddressDomain\n',
      API,
    ],
    ['another answer', EXAMPLES, '"usernameAvailable": true', '"usernameAvailable": false', API],
  ])('fails for %s', (_what, path, from, to, stale) => {
    workshop.plant(path, from, to);
    expect(check()).toEqual({ status: 1, output: expect.stringContaining(`${stale} differs from the code. Run \`npm run docs\``) });
  });

  it('passes again after npm run docs', () => {
    workshop.plant(OPERATING, '| `PORT` | `4000` |', '| `PORT` | `4001` |');
    workshop.plant(CODES, 'payer and recipient are', 'the payer and the recipient are');
    expect(check()).toMatchObject({ status: 1 });
    expect(workshop.run('scripts/tables.js')).toMatchObject({ status: 0 });
    expect(check()).toMatchObject({ status: 0 });
  });

  it.each<[what: string, path: string, from: string, to: string, message: string]>([
    [
      'a new error code without what to do',
      CODES,
      '  NOT_FOUND:',
      "  LOST: 'the outcome is lost',\n  NOT_FOUND:",
      'error-handling.ts lacks LOST',
    ],
    [
      'a root field without an operation',
      SDL,
      'type Query {',
      'type Query {\n  "A motto. No credential required."\n  motto: String',
      'operations.graphql has no operation for the query motto',
    ],
    [
      'a root field without a credential',
      SDL,
      'the same for every caller. No credential required.',
      'the same.',
      'globals does not say which',
    ],
    ['an invalid operation', OPERATIONS, '    network\n', '    net\n', 'Cannot query field "net"'],
    [
      'two root fields in an operation',
      OPERATIONS,
      'query Globals {\n',
      'query Globals {\n  me {\n    id\n  }\n',
      'needs one operation for query me',
    ],
    ['an operation without an example', EXAMPLES, '  "Globals": {', '  "Globules": {', 'examples.json has no Globals'],
    ['invalid variables', EXAMPLES, '"amount": 1.5', '"amount": "all"', 'variables of CurrencyConversionEstimation: '],
    [
      'an answer that the schema does not permit',
      EXAMPLES,
      '"network": "regtest"',
      '"network": "moon"',
      'answer of Globals: Enum "Network" cannot',
    ],
    [
      'an answer that lacks a field',
      EXAMPLES,
      '            "commitHash": null',
      '            "commit": null',
      'answer of Globals: its fields are not those',
    ],
  ])('refuses %s', (_what, path, from, to, message) => {
    workshop.plant(path, from, to);
    expect(check()).toEqual({ status: 1, output: expect.stringContaining(message) });
  });

  it('fails for a table that no document has', () => {
    workshop.plant(API, '<!-- generated: error codes -->', '');
    expect(check()).toEqual({ status: 1, output: expect.stringContaining('No document has the table "error codes"') });
  });
});
