import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
} from 'graphql';
import { createTestApp, type TestApp } from '../support/app.js';
import type { CredentialHeaders } from '../support/graphql.js';
import { post, type HttpAnswer } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const SCHEMA = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));
const ABSENT = Symbol('absent');
/** Values that no sound client sends. */
const NASTY: readonly unknown[] = [
  ABSENT, null, true, false, 0, -0, -1, 1.5, 7, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, '', ' ', 'text', '0', '-1', 'NaN', 'Infinity', '-Infinity', '1e400', '0x1f', 'null', 'undefined',
  'x'.repeat(20_000), '9'.repeat(400), '\0', 'a\0b', '\ud83e', '\udd00\ud83e', '🧀', 'ÅÄÖ', '\u202e', '\ufeff', "'; DROP TABLE wallet; --", '${7*7}', '{{7*7}}', '<script>', '../../etc/passwd', '%00', '__proto__', 'constructor',
  'lnbcrt1', 'LNBC1', 'ln' + 'q'.repeat(7_000), '6F6F6F6F-6F6F-4F6F-8F6F-6F6F6F6F6F6F', '00000000-0000-0000-0000-000000000000', 'ab'.repeat(32), [], [null], [[[]]], ['a', 'b'], [{}], {}, { a: 1 }, { __proto__: null, toString: 1 }, { length: 1e9 }, { input: {} },
]; // prettier-ignore
/** The same, as literals in the document. */
const LITERALS = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '99999999999999999999999999',
  '""',
  '"text"',
  '"""block"""',
  '"\\u0000"',
  '"\\uD83E"',
  '"🧀"',
  'ENUM',
  '[]',
  '[null]',
  '[[1]]',
  '{}',
  '{ a: 1 }',
  '$undeclared',
];

const SAMPLES: Readonly<Record<string, unknown>> = {
  WalletId: '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f',
  PaymentHash: 'ab'.repeat(32),
  Hex32Bytes: 'ab'.repeat(32),
  LnPaymentRequest: 'lnbcrt1qqq',
  SatAmount: 1,
  Username: 'free_name',
  DisplayCurrency: 'USD',
  Language: 'en',
  Memo: 'memo',
  Minutes: 10,
  TxExternalId: 'external',
  String: 'text',
  ID: '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f',
  Int: 10,
  Float: 1.5,
};

const sampleOf = (type: GraphQLInputType): unknown => {
  const named = getNamedType(type);
  if (isListType(isNonNullType(type) ? type.ofType : type)) return [sampleOf(named)];
  if (isInputObjectType(named))
    return Object.fromEntries(Object.values(named.getFields()).map((field) => [field.name, sampleOf(field.type)]));
  return isEnumType(named) ? named.getValues()[0]?.name : SAMPLES[named.name];
};

/** A good value of a type, as a literal in the document. */
function literalOf(type: GraphQLInputType): string {
  const named = getNamedType(type);
  const one = isEnumType(named) ? String(sampleOf(named)) : JSON.stringify(sampleOf(named));
  return isListType(isNonNullType(type) ? type.ofType : type) ? `[${one}]` : one;
}

/** An input object whose field `field` is `literal`; all others are good. */
function inputWith(argument: GraphQLArgument, field: string, literal: string): string {
  const named = getNamedType(argument.type);
  const fields = isInputObjectType(named) ? Object.values(named.getFields()) : [];
  return `{ ${fields.map(({ name, type }) => `${name}: ${name === field ? literal : literalOf(type)}`).join(', ')} }`;
}

/** The places inside an argument that can be replaced: itself, and each field of an input object. */
function placesOf(argument: GraphQLArgument): readonly (readonly string[])[] {
  const named = getNamedType(argument.type);
  return [[], ...(isInputObjectType(named) ? Object.keys(named.getFields()).map((name) => [name]) : [])];
}

function withValue(whole: unknown, [first]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  const { [first]: _old, ...rest } = whole as Record<string, unknown>;
  return value === ABSENT ? rest : { ...rest, [first]: value };
}

interface Place {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly field: GraphQLField<unknown, unknown>;
  /** Wraps a selection in the document around the field. */
  readonly around: (selection: string) => string;
}

const rootsOf = (kind: Place['kind'], type: GraphQLObjectType | null | undefined): Place[] =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ name: `${kind} ${field.name}`, kind, field, around: (selection) => selection }));
const nestedOf = (typeName: string, around: Place['around']): Place[] =>
  Object.values((SCHEMA.getType(typeName) as GraphQLObjectType).getFields()).map((field) => ({
    name: `${typeName}.${field.name}`,
    kind: 'query' as const,
    field,
    around,
  }));

/** The same few lines read their arguments as those of `ConsumerAccount.transactions` and `BTCWallet.invoices`. */
const TWINS: ReadonlySet<string> = new Set(['ConsumerAccount.invoices', 'BTCWallet.transactions']);

/** A valid input ends the session of this test; test/e2e/person.spec.ts sends the others. */
const ENDS_THE_SESSION = 'mutation userLogout';

const PLACES: readonly Place[] = [
  ...rootsOf('query', SCHEMA.getQueryType()),
  ...rootsOf('mutation', SCHEMA.getMutationType()),
  ...rootsOf('subscription', SCHEMA.getSubscriptionType()),
  ...nestedOf('ConsumerAccount', (selection) => `me { defaultAccount { ${selection} } }`),
  ...nestedOf('BTCWallet', (selection) => `me { defaultAccount { wallets { ${selection} } } }`),
].filter(({ name, field }) => field.args.length > 0 && !TWINS.has(name) && name !== ENDS_THE_SESSION);

/** Requests that a test sends at once. */
const AT_ONCE = 16;
/** SOCKET_MESSAGE_BYTES. */
const MAX_MESSAGE_BYTES = 16_384;
describe('invalid input', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let session: CredentialHeaders;

  beforeAll(async () => {
    const unlimited = '1000000/60';
    const env = { THROTTLE_ADDRESS: unlimited, THROTTLE_PRINCIPAL: unlimited, THROTTLE_ACCOUNT: unlimited, SOCKETS_PER_PRINCIPAL: '1000' };
    app = await createTestApp({ env });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
    session = await fixture.session(alice);
  });
  afterEach(async () => {
    await fixture.expectBalanced();
    expect(await alice.sats()).toBe(1_000);
  });
  afterAll(() => app.close());

  const selectionOf = (field: GraphQLField<unknown, unknown>): string => {
    const type = getNamedType(field.type);
    if (isLeafType(type)) return '';
    const hasErrors = 'getFields' in type && 'errors' in type.getFields();
    return hasErrors ? '{ __typename errors { message code path } }' : '{ __typename }';
  };
  const documentOf = ({ kind, field, around }: Place): string => {
    const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    return `${kind} (${declared}) { ${around(`found: ${field.name}(${field.args.map(({ name }) => `${name}: $${name}`).join(', ')}) ${selectionOf(field)}`)} }`;
  };

  const NO_CODE: ReadonlySet<unknown> = new Set([undefined, null, '', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']);
  /** Every error in an answer, at any depth, has a code of its own and a message; the answer leaks no internals. */
  const faultsIn = (text: string, where: string): string[] => {
    const faults: string[] = [];
    if (/stacktrace|node_modules|\bat .*\.(ts|js):\d|SELECT |invalid input syntax/.test(text)) faults.push(`${where}: leaks: ${text}`);
    const look = (value: unknown): void => {
      if (Array.isArray(value)) return value.forEach(look);
      if (typeof value !== 'object' || value === null) return;
      for (const [key, each] of Object.entries(value)) {
        if (key !== 'errors') {
          look(each);
          continue;
        }
        for (const error of each as { code?: unknown; message?: unknown; extensions?: { code?: unknown } }[])
          if (NO_CODE.has(error.extensions?.code ?? error.code) || !error.message) faults.push(`${where}: ${JSON.stringify(error)}`);
      }
    };
    look(JSON.parse(text));
    return faults;
  };
  const faultsOf = ({ status, text }: HttpAnswer, where: string): string[] =>
    status >= 500 || text === '' ? [`${where}: ${status} ${text}`] : faultsIn(text, where);
  const ask = (query: string, variables: unknown): Promise<HttpAnswer> => post(`${app.url}/graphql`, { query, variables }, session);
  const said = (value: unknown): string => (value === ABSENT ? 'absent' : (JSON.stringify(value) ?? 'undefined').slice(0, 60));

  /** In groups: a machine that is slow refuses many at once with 503. */
  async function inGroups<Try, Found>(tries: readonly Try[], find: (each: Try) => Promise<Found>): Promise<Found[]> {
    const found: Found[] = [];
    for (let next = 0; next < tries.length; next += AT_ONCE)
      found.push(...(await Promise.all(tries.slice(next, next + AT_ONCE).map(find))));
    return found;
  }

  /** The faults of the answers to every nasty value in every place of a field's arguments. */
  async function probe(place: Place, send: (query: string, variables: object) => Promise<string[]>): Promise<string[]> {
    const good = Object.fromEntries(
      place.field.args.map((argument) => [argument.name, isNonNullType(argument.type) ? sampleOf(argument.type) : null]),
    );
    const tries = place.field.args.flatMap((argument) =>
      placesOf(argument).flatMap((path) =>
        NASTY.map((value) => {
          const { [argument.name]: whole, ...others } = good;
          const put = withValue(whole, path, value);
          return put === ABSENT ? others : { ...others, [argument.name]: put };
        }),
      ),
    );
    const document = documentOf(place);
    const faults = await inGroups(tries, async (variables) =>
      (await send(document, variables)).map((fault) => `${fault} for ${said(variables)}`),
    );
    return faults.flat();
  }

  const overHttp = PLACES.filter(({ kind }) => kind !== 'subscription');

  it.each(overHttp.map((place) => [place.name, place] as const))('in the variables of %s', async (name, place) => {
    expect(await probe(place, async (query, variables) => faultsOf(await ask(query, variables), name))).toEqual([]);
  });

  /** A literal is read by its type alone: the first place of each type has them all. */
  const seen = new Set<string>();
  const typesOf = (argument: GraphQLArgument): string[] => {
    const named = getNamedType(argument.type);
    return [argument, ...(isInputObjectType(named) ? Object.values(named.getFields()) : [])].map(({ type }) => String(getNamedType(type)));
  };
  const firstOfAType = overHttp.filter(({ field }) => {
    const types = field.args.flatMap(typesOf).filter((type) => !type.endsWith('Input'));
    const isFirst = types.some((type) => !seen.has(type));
    types.forEach((type) => seen.add(type));
    return isFirst;
  });

  it.each(firstOfAType.map((place) => [place.name, place] as const))('in the document, at %s', async (name, place) => {
    const tries = place.field.args.flatMap((argument) =>
      placesOf(argument).flatMap(([inner]) =>
        LITERALS.map((literal) => {
          const value = inner === undefined ? literal : inputWith(argument, inner, literal);
          const others = place.field.args
            .filter((each) => each !== argument && isNonNullType(each.type))
            .map(({ name: other, type }) => `, ${other}: ${literalOf(type)}`);
          const document = `${place.kind} { ${place.around(`found: ${place.field.name}(${argument.name}: ${value}${others.join('')}) ${selectionOf(place.field)}`)} }`;
          return { document, value };
        }),
      ),
    );
    const faults = await inGroups(tries, async ({ document, value }) => faultsOf(await ask(document, {}), `${name} ${value}`));
    expect(faults.flat()).toEqual([]);
  });

  it.each(PLACES.filter(({ kind }) => kind === 'subscription').map((place) => [place.name, place] as const))(
    'in the variables of %s, over the socket',
    async (name, place) => {
      const faults = await probe(place, async (query, variables) => {
        const raw = await RawSocket.admitted(app.url, session);
        raw.subscribe('1', query, variables as Record<string, unknown>);
        // A longer message closes its socket, whatever it says.
        if (JSON.stringify(variables).length > MAX_MESSAGE_BYTES / 2) {
          const { code } = await raw.closed;
          return code === 1009 ? [] : [`${name}: closed with ${code}`];
        }
        const frame = await raw.next();
        await raw.leave();
        return faultsIn(JSON.stringify(frame.type === 'error' ? { errors: frame.payload } : frame.payload), name);
      });
      expect(faults).toEqual([]);
    },
  );

  /** Documents with more than one fault, and a fault that only a rule of an input class finds: the messages in their order. */
  const FAULTS: readonly (readonly [what: string, document: string, messages: readonly string[]])[] = [
    [
      'a negative amount before an unknown currency',
      'query { currencyConversionEstimation(amount: -1, currency: "XTS") { id } }',
      ['A valid amount is required'],
    ],
    [
      'an invalid scalar before a negative amount',
      'query { currencyConversionEstimation(amount: -1, currency: "not one") { id } }',
      ['Invalid value for DisplayCurrency'],
    ],
    [
      'an amount that is too large',
      'query { currencyConversionEstimation(amount: 1e300, currency: "USD") { id } }',
      ['The amount is too large'],
    ],
    [
      'an unknown language',
      'mutation { userUpdateLanguage(input: { language: "zz" }) { errors { message } } }',
      ['Invalid value for Language'],
    ],
    [
      'a malformed language',
      'mutation { userUpdateLanguage(input: { language: "??" }) { errors { message } } }',
      ['Invalid value for Language'],
    ],
    [
      'the name of a key before its scopes and its expiry',
      'mutation { apiKeyCreate(input: { name: " ", scopes: [], expireInDays: 0 }) { apiKeySecret } }',
      ['name must have 1 to 64 characters, one of them visible, and no control characters'],
    ],
    [
      'the limit of a key before its id',
      'mutation { apiKeySetLimit(input: { id: "none", limitTimeWindow: DAILY, limitSats: 0 }) { __typename } }',
      ['Invalid limit amount (must be positive)'],
    ],
  ];
  it.each(FAULTS)('answers %s', async (_what, document, messages) => {
    const { body } = await ask(document, {});
    const payloads = Object.values((body.data ?? {}) as Record<string, { errors?: unknown } | null>);
    const errors = [body.errors, ...payloads.map((payload) => payload?.errors)].find(Array.isArray) as { message: string }[];
    expect(errors.map(({ message }) => message)).toEqual(messages);
  });

  it('names every invalid field', async () => {
    const query = 'mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code path } } }';
    const { body } = await ask(query, { input: { walletId: 'x', amount: 'x', memo: 7 } });
    expect(body.data.lnInvoiceCreate.errors).toEqual(
      ['amount', 'memo', 'walletId'].map((name) => ({ code: 'INVALID_INPUT', path: ['input', name] })),
    );
  });
});
