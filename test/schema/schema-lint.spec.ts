import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Workshop } from './workshop.js';

const SDL = 'schema.graphql';
/** The field after which a test plants another. */
const ANCHOR = '  network: Network!\n';
const SENTENCE = 'A description is a sentence';
const ELEMENTS = 'The elements of a list are non-null';
const ANSWER = 'A mutation or subscription answers';
const ERRORS = 'A payload has errors: [Error!]!';

/** A breach: where the text of the schema is replaced, by what, and the rule that reports it. */
type Breach = readonly [what: string, rule: string, from: string, to: string];

const field = (what: string, rule: string, planted: string): Breach => [what, rule, ANCHOR, `${ANCHOR}  ${planted}\n`];
const BREACHES: readonly Breach[] = [
  field('a field without a description', 'graphql/require-description', 'motto: String'),
  field('a description that is no sentence', SENTENCE, '"motto" motto: String'),
  field('a description without a full stop', SENTENCE, '"What it says" motto: String'),
  field('an argument without a description', 'graphql/require-description', '"What it says." motto(long: Boolean): String'),
  field('a name in another style', 'graphql/naming-convention', '"What it says." motto_text: String'),
  field('a list of nullable elements', ELEMENTS, '"What it says." mottos: [String]!'),
  field('a nested list of nullable elements', ELEMENTS, '"What it says." mottos: [[String]!]!'),
  field('a deprecation without a reason', 'graphql/require-deprecation-reason', '"What it says." motto: String @deprecated'),
  field('a connection without paging', 'graphql/relay-arguments', '"What came." transactions: TransactionConnection'),
  [
    'a type without a description',
    'graphql/require-description',
    'type Globals {',
    'type Motto {\n  "Its text."\n  text: String\n}\n\ntype Globals {',
  ],
  [
    'an unreachable type',
    'graphql/no-unreachable-types',
    '"""\nRead operations.',
    '"What nothing leads to."\nscalar Motto\n\n"""\nRead operations.',
  ],
  ['a type named in another style', 'graphql/naming-convention', 'type Globals {', 'type globals {'],
  ['a comment in the place of a description', 'graphql/no-hashtag-description', ANCHOR, `${ANCHOR}  # What it says.\n  motto: String\n`],
  ['a mutation that answers no payload', `${ANSWER} a payload`, '): SuccessPayload!', '): Globals!'],
  ['a mutation that answers a nullable payload', `${ANSWER} a non-null payload`, '): SuccessPayload!', '): SuccessPayload'],
  [
    'a payload without errors',
    ERRORS,
    '  "Errors; empty on success."\n  errors: [Error!]!\n  "Whether the operation',
    '  "Whether the operation',
  ],
  ['a payload with nullable errors', ERRORS, 'errors: [Error!]!\n  "Whether the operation', 'errors: [Error!]\n  "Whether the operation'],
  ['a payload that cannot carry errors alone', 'With a non-null field', 'success: Boolean\n', 'success: Boolean!\n'],
  [
    'an argument beside input',
    'A mutation or subscription has one argument',
    '("Identifies the invoice." input: LnInvoiceCancelInput!)',
    '("Identifies the invoice." hash: PaymentHash!)',
  ],
  ['an input by another name', 'graphql/naming-convention', 'input LnInvoiceCancelInput', 'input LnInvoiceCancelRequest'],
  ['a type with the name of an input', 'graphql/naming-convention', 'type Globals {', 'type GlobalsInput {'],
  [
    'an enum value in another style',
    'graphql/naming-convention',
    'enum TxStatus {\n',
    'enum TxStatus {\n  "The outcome is lost."\n  lost\n',
  ],
  ['an edge with a nullable node', 'The fields of an edge are non-null', 'node: Invoice!', 'node: Invoice'],
  ['an edge without a cursor', 'graphql/relay-edge-types', 'cursor: String!\n  "The invoice."', 'position: String!\n  "The invoice."'],
  ['a connection of nullable edges', ELEMENTS, '[InvoiceEdge!]', '[InvoiceEdge]'],
  ['a connection without page information', 'graphql/relay-connection-types', 'pageInfo: PageInfo!', 'page: PageInfo!'],
];

interface Linted {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

describe('the lint of schema.graphql', () => {
  const workshop = new Workshop(['eslint.schema.js', SDL]);
  const found = new Map<string, readonly string[]>();

  beforeAll(() => {
    const schema = workshop.read(SDL);
    BREACHES.forEach(([what, , from, to], index) => {
      if (!schema.includes(from)) throw new Error(`${SDL} has no ${JSON.stringify(from)} for ${what}`);
      workshop.write(
        `${index}/${SDL}`,
        schema.replace(from, () => to),
      );
    });
    const eslint = join(workshop.folder, 'node_modules/eslint/bin/eslint.js');
    const options = ['--config', 'eslint.schema.js', '--format', 'json', '.'];
    const { stdout, stderr } = spawnSync(process.execPath, [eslint, ...options], {
      cwd: workshop.folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    if (stdout === '') throw new Error(stderr);
    for (const { filePath, messages } of JSON.parse(stdout) as Linted[])
      found.set(
        filePath.slice(filePath.indexOf(workshop.folder) + workshop.folder.length + 1),
        messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      );
  });
  afterAll(() => workshop.close());

  it('has nothing to report', () => {
    expect(found.get(SDL)).toEqual([]);
  });

  it.each(BREACHES.map(([what, rule], index) => [what, rule, index] as const))('reports %s: %s', (_what, rule, index) => {
    expect(found.get(`${index}/${SDL}`)).toContainEqual(expect.stringContaining(rule));
  });
});
