import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compile } from '../support/compiler.js';
import { generated, read } from './drift/generated.js';

const SDL = read('test/types/drift/sample.graphql');
/** Inside the checkout, so that packages are found. It gets a folder for each drift, and one compilation serves all of them. */
const PLACE = join(__dirname, '../output/drift');
const ROWS = { mappers: { User: '../sample.js#UserRow', Note: '../sample.js#NoteRow' }, contextType: '../sample.js#Context' };

/** A planted drift: the text of the schema to replace, its replacement, and what the compiler's message must name. */
type Drift = readonly [what: string, from: string, to: string, named: RegExp];

const DRIFTS: readonly Drift[] = [
  // rows
  ['a field of a row renamed', 'username: Username\n', 'handle: Username\n', /"handle"/],
  ['a field of a row retyped', 'createdAt: Timestamp!', 'createdAt: Memo!', /"createdAt"/],
  ['a field of a row made non-null', 'username: Username\n', 'username: Username!\n', /"username"/],
  ['a field added to a row', 'text: Memo\n', 'text: Memo\n  colour: String\n', /"colour"/],
  ['an argument added to a field of a row', 'text: Memo\n', 'text(locale: String): Memo\n', /"text"/],
  ['an enum value of a row removed', '  ONE\n', '', /"level"/],
  // fields with a method
  ['a resolved field renamed', 'notes(', 'remarks(', /"remarks"/],
  ['a resolved field retyped', 'WalletId]): [Note!]!', 'WalletId]): [User!]!', /NoteRow/],
  ['an argument of a resolved field renamed', 'notes(first:', 'notes(limit:', /"notes"/],
  ['an argument of a resolved field retyped', 'notes(first: Int', 'notes(first: String', /not assignable to type 'number'/],
  ['a union member removed', 'union Origin = Shop | Person', 'union Origin = Person', /Shop/],
  ['a field added to a union member', 'type Shop {', 'type Shop {\n  city: String!', /city/],
  // roots
  ['a query added', 'version: String!', 'version: String!\n  motto: String', /"motto"/],
  ['a query renamed', 'version: String!', 'release: String!', /version/],
  ['a query retyped', 'version: String!', 'version: Int!', /version/],
  ['an argument of a query renamed', 'price(currency:', 'price(unit:', /currency/],
  ['an argument of a query retyped', 'currency: String = "USD"', 'currency: Int = 1', /'currency'/],
  ['an optional argument of a query added', 'price(currency:', 'price(exact: Boolean, currency:', /exact/],
  ['an optional argument of a resolved field added', 'notes(first:', 'notes(text: String, first:', /"notes"/],
  ['a mutation added', 'type Mutation {', 'type Mutation {\n  noteHide(input: NoteRemoveInput!): NotePayload!', /"noteHide"/],
  ['a mutation removed', '  noteRemove(input: NoteRemoveInput!): NotePayload!\n', '', /noteRemove/],
  ['a second argument beside `input`', 'noteRemove(input', 'noteRemove(force: Boolean, input', /noteRemove/],
  ['a subscription added', 'type Subscription {', 'type Subscription {\n  noteGone: NotePayload!', /"noteGone"/],
  ['a subscription retyped', 'noteAdded(input: NoteAddedInput!): NotePayload!', 'noteAdded(input: NoteAddedInput!): Note!', /NoteRow/],
  // inputs
  ['an optional input field added', 'memo: Memo\n', 'memo: Memo\n  colour: String\n', /colour/],
  ['a required input field added', 'memo: Memo\n', 'memo: Memo\n  colour: String!\n', /colour/],
  ['an input field renamed', 'memo: Memo\n', 'remark: Memo\n', /remark/],
  ['an input field retyped', 'amount: SatAmount!', 'amount: Memo!', /amount/],
  ['an input field removed', '  memo: Memo\n', '', /memo/],
  ['an input field made nullable', 'amount: SatAmount!', 'amount: SatAmount', /amount/],
  ['an enum value of an input added', '  QUIET\n', '  QUIET\n  SILENT\n', /lacks ending return/],
  ['an enum value of an input removed', '  QUIET\n', '', /QUIET/],
  // payloads
  ['a field added to a payload', 'note: Note\n}', 'note: Note\n  total: Int\n}', /total/],
  ['a field of a payload renamed', 'note: Note\n}', 'remark: Note\n}', /remark/],
  ['a field of a payload made non-null', 'note: Note\n}', 'note: Note!\n}', /null/],
  [
    'a field of an error retyped',
    'type GraphQLApplicationError implements Error {\n  message: String!',
    'type GraphQLApplicationError implements Error {\n  message: String!\n  code: Int!',
    /code/,
  ],
];

const planted = ([, from, to]: Drift): string => SDL.replace(from, to);

const NONE: Drift = ['none', '', '', /^$/];

describe('the typed bridge', () => {
  let messages: string[];
  const folderOf = (what: string): string => `${[NONE, ...DRIFTS].findIndex(([each]) => each === what)}/`;
  const messagesOf = (what: string): string => messages.filter((message) => message.startsWith(folderOf(what))).join('\n');

  beforeAll(() => {
    const all = [NONE, ...DRIFTS];
    const types = generated(Object.fromEntries(all.map((drift) => [drift[0], planted(drift)])), ROWS);
    for (const [what] of all)
      for (const [path, text] of [
        ['sample.ts', read('test/types/drift/sample.ts.txt')],
        ['edge/graphql/typed.ts', read('src/edge/graphql/typed.ts')],
        ['generated/graphql.ts', types[what] ?? ''],
      ] as const) {
        const file = join(PLACE, folderOf(what), path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    const files = all.map(([what]) => `${folderOf(what)}sample.ts`);
    messages = compile(PLACE, files);
  });
  afterAll(() => rmSync(PLACE, { recursive: true, force: true }));

  it('compiles while the SDL and the application agree', () => {
    expect(messagesOf('none')).toBe('');
  });

  it.each(DRIFTS)('does not compile after a drift: %s', (what, from, _to, named) => {
    expect(SDL).toContain(from);
    expect(messagesOf(what)).toMatch(named);
  });
});
