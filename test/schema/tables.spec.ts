import { Workshop } from './workshop.js';

const VARIABLES = 'docs/reference/variables.md';
const EVENTS = 'docs/reference/log-events.md';
const ERRORS = 'docs/reference/error-codes.md';
const REFERENCE = 'docs/reference/operations.md';
const CODES = 'src/edge/graphql/error-codes.ts';
const HANDLING = 'scripts/error-handling.js';
const OPERATIONS = 'src/client/operations.graphql';
const EXAMPLES = 'src/client/examples.json';
const SDL = 'schema.graphql';
const REFUSALS = 'src/money/payment/payment.refusals.ts';
const TEXTS = 'docs/frozen-texts.md';

describe('npm run docs:check', () => {
  const workshop = new Workshop(['scripts', 'src', 'migrations', 'nest-cli.json', SDL, VARIABLES, EVENTS, ERRORS, REFERENCE, TEXTS]);
  const check = () => workshop.run('scripts/tables.js', '--check');
  beforeEach(() => workshop.restore());
  afterAll(() => workshop.close());

  it('passes for the committed documents', () => {
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('tables agree with the code') });
  });

  it.each<[what: string, path: string, from: string, to: string, stale: string]>([
    ['a stale row', VARIABLES, '| `PORT` | `4000` |', '| `PORT` | `4001` |', VARIABLES],
    ['a missing row', VARIABLES, '| `PORT` |', '| PORT |', VARIABLES],
    ['a changed default', 'src/platform/config/environment.ts', 'PORT = 4000', 'PORT = 4001', VARIABLES],
    ['a reworded variable', 'src/platform/config/environment.ts', 'port of HTTP', 'the port of HTTP', VARIABLES],
    ['a stale error code', ERRORS, '| `NOT_FOUND` |', '| `NOT_THERE` |', ERRORS],
    ['a stale log event', EVENTS, '| `events_current` | info |', '| `events_current` | warn |', EVENTS],
    ['a reworded log event', 'src/platform/logging/server-events.ts', 'Events are read again', 'Events are current', EVENTS],
    ['a reworded error code', CODES, 'payer and recipient are', 'the payer and the recipient are', ERRORS],
    ['another thing to do about an error', HANDLING, 'choose another recipient', 'choose one', ERRORS],
    ['a reworded operation', SDL, 'Server information, the same', 'Information, the same', REFERENCE],
    ['an argument with another default', SDL, '= "USD"): RealtimePrice!', '= "EUR"): RealtimePrice!', REFERENCE],
    [
      'another operation of an example',
      OPERATIONS,
      '    lightningAddressDomain\n    nodesIds\n',
      '    nodesIds\n    lightningAddressDomain\n',
      REFERENCE,
    ],
    ['a reworded refusal', REFUSALS, 'is for another network', 'is of another network', TEXTS],
    ['another answer', EXAMPLES, '"usernameAvailable": true', '"usernameAvailable": false', REFERENCE],
  ])('fails for %s', (_what, path, from, to, stale) => {
    workshop.plant(path, from, to);
    expect(check()).toEqual({ status: 1, output: expect.stringContaining(`${stale} differs from the code. Run \`npm run docs\``) });
  });

  it('passes again after npm run docs', () => {
    workshop.plant(VARIABLES, '| `PORT` | `4000` |', '| `PORT` | `4001` |');
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
      'error-handling.js lacks LOST',
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
    workshop.plant(ERRORS, '<!-- generated: error codes -->', '');
    expect(check()).toEqual({ status: 1, output: expect.stringContaining('No document has the table "error codes"') });
  });
});
