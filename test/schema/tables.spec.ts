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

  it('fails for edited documents, and writes nothing', () => {
    workshop.plant(VARIABLES, '| `PORT` | `4000` |', '| `PORT` | `4001` |');
    workshop.plant(ERRORS, '| `NOT_FOUND` |', '| `NOT_THERE` |');
    workshop.plant(EVENTS, '| `events_current` | info |', '| `events_current` | warn |');
    const { status, output } = check();
    expect([...output.matchAll(/^(\S+) differs from the code\. Run `npm run docs`/gm)].map(([, path]) => path)).toEqual([
      VARIABLES,
      EVENTS,
      ERRORS,
    ]);
    expect([status, workshop.read(ERRORS)]).toEqual([1, expect.stringContaining('NOT_THERE')]);
  });

  it('passes after npm run docs, which writes every change of the code', () => {
    const changes: readonly (readonly [document: string, path: string, from: string, to: string, shown?: string])[] = [
      [VARIABLES, 'src/platform/config/environment.ts', 'PORT = 4000', 'PORT = 4001', '| `PORT` | `4001` |'],
      [VARIABLES, 'src/platform/config/environment.ts', 'port of HTTP', 'the port of HTTP'],
      [EVENTS, 'src/platform/logging/server-events.ts', 'Events are read again', 'Events are current'],
      [ERRORS, HANDLING, 'payer and recipient are', 'the payer and the recipient are'],
      [ERRORS, HANDLING, 'choose another recipient', 'choose one'],
      [REFERENCE, SDL, '= "USD"): RealtimePrice!', '= "EUR"): RealtimePrice!', 'DisplayCurrency = "EUR"'],
      [REFERENCE, EXAMPLES, '"usernameAvailable": true', '"usernameAvailable": false'],
      [TEXTS, REFUSALS, 'is for another network', 'is of another network'],
    ];
    for (const [document, path, from, to, shown = to] of changes) {
      expect([document, workshop.read(document).includes(shown) && shown]).toEqual([document, false]);
      workshop.plant(path, from, to);
    }
    expect(workshop.run('scripts/tables.js')).toMatchObject({ status: 0 });
    for (const [document, , , to, shown = to] of changes) expect(workshop.read(document)).toContain(shown);
    expect(check()).toEqual({ status: 0, output: expect.stringContaining('tables agree with the code') });
  });

  it('refuses a new error code without what to do', () => {
    workshop.plant(CODES, '  NOT_FOUND:', "  LOST: 'kept',\n  NOT_FOUND:");
    expect(check()).toEqual({ status: 1, output: expect.stringContaining('error-handling.js lacks LOST') });
  });

  it('fails for a table that no document has', () => {
    workshop.plant(ERRORS, '<!-- generated: error codes -->', '');
    expect(check()).toEqual({ status: 1, output: expect.stringContaining('No document has the table "error codes"') });
  });
});

/** One process for all of them: they are faults of three files. */
describe('the reference of operations', () => {
  const INPUTS = [SDL, OPERATIONS, EXAMPLES];
  const FAULTS: readonly (readonly [what: string, path: string, from: string, to: string, message: string])[] = [
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
  ];
  const workshop = new Workshop(['scripts', ...INPUTS]);
  let said: readonly string[];
  beforeAll(() => {
    FAULTS.forEach(([, faulty, from, to], index) => {
      for (const path of INPUTS) workshop.write(`${index}/${path}`, workshop.read(path));
      workshop.plant(`${index}/${faulty}`, from, to);
    });
    workshop.write(
      'refer.js',
      `import { referenceOf } from './scripts/api-reference.js';
       const said = (root) => { try { referenceOf(root); return 'it is right'; } catch ({ message }) { return message; } };
       console.log(JSON.stringify(Array.from({ length: ${FAULTS.length} }, (_, index) => said(new URL(String(index), import.meta.url).pathname))));`,
    );
    said = JSON.parse(workshop.run('refer.js').output) as string[];
  });
  afterAll(() => workshop.close());

  it.each(FAULTS.map(([what, , , , message], index) => [what, message, index] as const))('refuses %s', (_what, message, index) => {
    expect(said[index]).toContain(message);
  });
});
