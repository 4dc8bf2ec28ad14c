import { createHash } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import { createTestApp, type TestApp } from '../support/app.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { Fixture, type Person } from '../support/fixture.js';

const NETWORK = '{ globals { network } }';
const ANSWER = { data: { globals: { network: 'regtest' } } };
const BAD_CREDENTIAL = 'Access credentials are invalid';
const REFUSED = { error: { code: 401, status: 'Unauthorized', message: BAD_CREDENTIAL }, errors: [{ message: BAD_CREDENTIAL }] };

/** Well-formed requests whose document does not parse, validate, fit its variables, or name one operation. */
const FAULTS: readonly [string, object][] = [
  ['bad grammar', { query: '{ nonsense' }],
  ['an unknown field', { query: '{ nothing }' }],
  ['too many aliases', { query: `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: globals { network }`).join(' ')} }` }],
  ['a variable missing', { query: 'query ($u: Username!) { usernameAvailable(username: $u) }' }],
  [
    'a variable of another type',
    { query: 'query ($n: Int) { me { defaultAccount { invoices(first: $n) { edges { cursor } } } } }', variables: { n: 'x' } },
  ],
  ['a name that no operation has', { query: 'query A { globals { network } }', operationName: 'B' }],
  ['a subscription', { query: 'subscription { myUpdates { errors { message } } }' }],
  [
    'a condition at the root of a subscription',
    { query: 'subscription ($a: Boolean!) { myUpdates @skip(if: $a) { errors { message } } }' },
  ],
];

describe('GraphQL over HTTP', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let url: string;

  beforeAll(async () => {
    app = await createTestApp({ env: { TRUST_PROXY: '1', THROTTLE_ADDRESS: '400/60', THROTTLE_PRINCIPAL: '40/60' } });
    fixture = new Fixture(app);
    alice = await fixture.user();
    url = `${app.url}/graphql`;
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  let addresses = 0;
  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `192.0.2.${++addresses}` });
  const ask = (query: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
    post(url, { query }, { ...elsewhere(), ...headers });
  const get = (parameters: Record<string, string>, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
    request(`${url}?${new URLSearchParams(parameters).toString()}`, { headers: { ...elsewhere(), ...headers } });
  const expectClean = ({ text }: HttpAnswer): void => expect(text).not.toMatch(/stacktrace|node_modules|\bat .*\.(ts|js):\d/);

  describe('credentials', () => {
    it.each([
      ['an unknown key', { 'x-api-key': 'sluice_unknown' }],
      ['a key that could be one', { 'X-API-KEY': `sluice_${'a'.repeat(49)}` }],
      ['an unknown token', { 'oauth2-token': 'sluice_at_x' }],
      ['an unknown session', { authorization: 'Bearer sluice_st_x' }],
      ['basic credentials', { authorization: 'Basic YTpi' }],
      ['a key where a session belongs', { authorization: 'Bearer sluice_key' }],
      ['a very long one', { 'x-api-key': 'x'.repeat(4_000) }],
    ])('%s gets 401 before GraphQL runs', async (_what, headers) => {
      for (const body of [{ query: NETWORK }, { query: '{ nonsense' }, { query: '{ __typename }' }, {}, 'no json', [], '']) {
        const answer = await post(url, body, { ...elsewhere(), ...headers });
        expect(answer.status).toBe(401);
        expect(answer.body).toMatchObject(REFUSED);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      }
      expect((await get({ query: NETWORK }, headers)).status).toBe(401);
    });

    it('two of them get 400, also when both are valid', async () => {
      const session = await fixture.session(alice);
      const pairs = [
        { ...alice.as('read'), ...session },
        { ...alice.as('read'), 'oauth2-token': 'x' },
        { 'x-api-key': 'nonsense', authorization: 'Bearer x' },
      ];
      for (const headers of pairs) {
        const answer = await ask(NETWORK, headers as Record<string, string>);
        expect(answer.status).toBe(400);
        const message = 'Send only one credential';
        expect(answer.body).toEqual({ error: { code: 400, status: 'Bad Request', message }, errors: [{ message }] });
      }
    });

    it.each([[{ authorization: '' }], [{ 'x-api-key': '' }], [{ 'oauth2-token': '' }], [{ authorization: '', 'x-api-key': '' }]])(
      '%j is anonymous',
      async (headers) => {
        const answer = await ask('{ globals { network } me { id } }', headers);
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({
          data: { globals: { network: 'regtest' }, me: null },
          errors: [{ message: 'Not authorized', path: ['me'], extensions: { code: 'NOT_AUTHENTICATED' } }],
        });
      },
    );

    it('are never read from a cookie', async () => {
      const { authorization = '' } = await fixture.session(alice);
      const token = authorization.slice('Bearer '.length);
      const answer = await ask('{ me { id } }', { cookie: `sluice=${token}; __Host-sluice=${token}` });
      expect(answer.body.data).toEqual({ me: null });
    });
  });

  describe('answers', () => {
    it('have no errors key without errors, and are JSON by default', async () => {
      const answer = await ask(NETWORK);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(ANSWER);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    it.each([
      [undefined, 'application/json'],
      ['*/*', 'application/json'],
      ['application/json', 'application/json'],
      ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
      ['application/graphql-response+json', 'application/graphql-response+json'],
      ['application/graphql-response+json, application/json', 'application/graphql-response+json'],
    ])('to Accept %s have the type %s', async (accept, type) => {
      const answer = await ask(NETWORK, accept === undefined ? {} : { accept });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(new RegExp(`^${type.replace('+', '\\+')}`));
      expect(answer.body).toEqual(ANSWER);
    });

    it.each([
      ['nonsense', '{ nonsense', 'GRAPHQL_PARSE_FAILED'],
      ['an empty document', '', 'BAD_REQUEST'],
      ['an unknown field', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['a missing argument', '{ accountDefaultWallet { id } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['a subscription', 'subscription { myUpdates { me { id } } }', undefined],
    ])('to %s name the fault with a code and without a stack trace', async (_what, query, code) => {
      const answer = await ask(query);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body.errors.length).toBeGreaterThan(0);
      for (const { message, extensions } of answer.body.errors)
        expect([message, extensions.code]).toEqual([expect.any(String), code ?? expect.any(String)]);
      expectClean(answer);
    });

    it.each([
      ['text', 'hello'],
      ['a half', '{"query":'],
      ['nothing', ''],
      ['a list', []],
      ['a list of operations', [{ query: NETWORK }, { query: NETWORK }]],
      ['a number', '7'],
      ['null', 'null'],
      ['no query', { variables: {} }],
      ['a query that is no text', { query: 7 }],
      ['variables that are text', { query: NETWORK, variables: 'nonsense' }],
      ['an operation name that is no text', { query: NETWORK, operationName: 7 }],
    ])('to a body of %s are an error', async (_what, body) => {
      const answer = await post(url, body, elsewhere());
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body.errors?.[0]?.extensions?.code ?? answer.body.error?.status).toEqual(expect.any(String));
      expect(answer.body.errors).toMatchObject([{ message: expect.any(String) as string }]);
      expectClean(answer);
    });

    it.each([
      [''],
      ['text/plain'],
      ['text/plain; charset=utf-8'],
      ['application/jsonp'],
      ['application/graphql'],
      ['application/json, text/plain'],
      ['nonsense'],
      ['application/xml'],
      ['multipart/form-data; boundary=x'],
      ['application/x-www-form-urlencoded'],
      ['Application/X-WWW-Form-Urlencoded;charset=UTF-8'],
    ])('to a body of type %s are 415', async (type) => {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': type, ...elsewhere() },
        body: 'query={globals{network}}',
      });
      expect(answer.status).toBe(415);
      const message = 'Send the request as application/json';
      expect(answer.body).toEqual({ error: { code: 415, status: 'UNSUPPORTED_MEDIA_TYPE', message }, errors: [{ message }] });
      expectClean(answer);
    });

    it.each(['application/json', 'Application/JSON', 'application/json;charset=utf-8', 'application/json ; charset=utf-8'])(
      'to a body of type %s are results',
      async (type) => {
        const answer = await request(url, {
          method: 'POST',
          headers: { 'content-type': type, ...elsewhere() },
          body: JSON.stringify({ query: NETWORK }),
        });
        expect([answer.status, answer.body]).toEqual([200, { data: { globals: { network: 'regtest' } } }]);
      },
    );

    it.each(FAULTS)('to a document with %s are 200, or 400 with Accept application/graphql-response+json', async (_what, body) => {
      for (const accept of [
        undefined,
        '*/*',
        'application/json',
        'application/json, application/graphql-response+json',
        'application/graphql-response+json;q=0.5, application/json',
        'application/*, application/json;q=0.9',
        'text/html, */*;q=0.8',
        'application/graphql-response+json',
        'application/graphql-response+json; charset=utf-8, application/json;q=0.9',
        'application/json;q=0.1, application/graphql-response+json;q=0.2',
        'APPLICATION/GRAPHQL-RESPONSE+JSON, */*',
      ]) {
        const answer = await post(url, body, { ...elsewhere(), ...(accept !== undefined && { accept }) });
        const isJson = answer.headers.get('content-type')?.startsWith('application/json');
        expect([accept, answer.status]).toEqual([accept, isJson ? 200 : 400]);
        expect(answer.body).toEqual({ errors: expect.any(Array) as unknown[] });
        expect(answer.body.errors[0].extensions.code).toEqual(expect.any(String));
      }
    });

    it('are equal for absent, null and empty variables, and use operationName', async () => {
      for (const more of [
        {},
        { variables: null },
        { variables: {} },
        { operationName: null },
        { operationName: 'Q' },
        { extensions: {} },
        { extensions: null },
      ]) {
        const query = more.operationName === 'Q' ? `query Q ${NETWORK}` : NETWORK;
        expect((await post(url, { query, ...more }, elsewhere())).body).toEqual(ANSWER);
      }
    });

    it('are equal with a slash at the end of the path, without a redirect', async () => {
      const answer = await post(`${url}/`, { query: NETWORK }, elsewhere());
      expect([answer.status, answer.body]).toEqual([200, ANSWER]);
    });
  });

  describe('GET', () => {
    it('answers queries, with variables, credentials and names', async () => {
      expect((await get({ query: NETWORK })).body).toEqual(ANSWER);
      const query = 'query Q($c: DisplayCurrency) { realtimePrice(currency: $c) { id } } query R { me { username } }';
      expect((await get({ query, variables: '{"c":"usd"}', operationName: 'Q' })).body).toEqual({ data: { realtimePrice: { id: 'USD' } } });
      expect((await get({ query, operationName: 'R' }, alice.as('read') as Record<string, string>)).body).toEqual({
        data: { me: { username: alice.username } },
      });
    });

    it('refuses a mutation with 405', async () => {
      const query = `mutation { lnInvoiceCreate(input: { walletId: "${alice.wallets.BTC}", amount: 1 }) { invoice { paymentHash } } }`;
      const answer = await get({ query }, alice.as('receive'));
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toContain('POST');
      const { rows } = await app.pool.query('SELECT 1 FROM invoice WHERE account_id = $1', [alice.accountId]);
      expect(rows).toEqual([]);
    });

    it.each([[{}], [{ query: '' }], [{ query: NETWORK, variables: 'nonsense' }], [{ query: NETWORK, extensions: '[' }]])(
      'refuses %j',
      async (parameters) => {
        const answer = await get(parameters);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expectClean(answer);
      },
    );

    it.each(['PUT', 'DELETE', 'PATCH'])('is the only method beside POST: %s gets 405', async (method) => {
      const answer = await request(url, { method, headers: elsewhere() });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toMatch(/GET.*POST/);
      expect(answer.body).toMatchObject({ error: { code: 405 } });
    });
  });

  describe('persisted queries', () => {
    const extensions = (query: string): object => ({
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    });

    it('are requested by hash, registered, and then found by their hash', async () => {
      const query = '{ globals { network lightningAddressDomain } }';
      const first = await post(url, { extensions: extensions(query) }, elsewhere());
      expect(first.status).toBe(200);
      expect(first.body.errors).toMatchObject([{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
      expect((await post(url, { query, extensions: extensions(query) }, elsewhere())).body.data).toMatchObject(ANSWER.data);
      expect((await post(url, { extensions: extensions(query) }, elsewhere())).body.data).toMatchObject(ANSWER.data);
      expect((await get({ extensions: JSON.stringify(extensions(query)) })).body.data).toMatchObject(ANSWER.data);
    });

    it('are refused when the hash belongs to another document', async () => {
      const answer = await post(url, { query: NETWORK, extensions: extensions('{ other }') }, elsewhere());
      expect(answer.status).toBe(400);
      expectClean(answer);
    });
  });

  describe('limits of a document', () => {
    const deep = (levels: number): string => {
      // `initiationVia` cannot form a cycle, so the depth consists of inline objects of the introspection types.
      const ofType = (n: number): string => (n === 0 ? 'name' : `ofType { ${ofType(n - 1)} }`);
      return `{ globals { network } __type(name: "Query") { fields { type { ${ofType(levels)} } } } }`;
    };
    it.each([
      ['depth', deep(14)],
      ['aliases', `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: globals { network }`).join(' ')} }`],
      [
        'cost',
        `{ me { defaultAccount { ${Array.from({ length: 9 }, (_, i) => `t${i}: transactions(first: 100) { edges { node { ${Array.from({ length: 12 }, () => 'id status memo').join(' ')} } } }`).join(' ')} } } }`,
      ],
    ])('%s', async (_what, query) => {
      const answer = await ask(query);
      expect(answer.status).toBe(200);
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
      expectClean(answer);
    });

    it('length: 16 KiB', async () => {
      const padded = (bytes: number): string => `${NETWORK} #${'x'.repeat(bytes - NETWORK.length - 2)}`;
      expect((await ask(padded(16_384))).body).toEqual(ANSWER);
      const answer = await ask(padded(16_385));
      expect(answer.status).toBe(200);
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
      const wide = await ask(`{ globals { network } } #${'語'.repeat(6_000)}`);
      expect(wide.body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
    });

    it('tokens: 1,000', async () => {
      const listed = (words: number): string =>
        `{ me { defaultAccount { transactions(walletIds: [${'null '.repeat(words)}]) { edges { cursor } } } } }`;
      const fits = await ask(listed(970), alice.as('read'));
      expect(fits.body).toEqual({ data: { me: { defaultAccount: { transactions: { edges: [] } } } } });
      const answer = await ask(listed(1_000));
      expect(answer.status).toBe(200);
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'GRAPHQL_PARSE_FAILED' } }]);
    });

    it('a body of megabytes is refused', async () => {
      const answer = await ask(`{ globals { network } } #${'x'.repeat(1_000_000)}`);
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({ error: { code: 413 } });
    });

    it('circular fragments are refused without evaluation', async () => {
      const answer = await ask('{ ...A } fragment A on Query { globals { network } ...B } fragment B on Query { ...A }');
      expect([answer.status, answer.body.errors.length]).toEqual([200, 1]);
      const doubling = Array.from({ length: 30 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`).join(' ');
      expect((await ask(`{ ...F0 } ${doubling} fragment F30 on Query { __typename }`)).body.errors).toBeDefined();
    });

    it('do not apply to the standard introspection query', async () => {
      for (const options of [
        {},
        { descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true },
      ]) {
        const answer = await ask(getIntrospectionQuery(options));
        expect(answer.body.errors).toBeUndefined();
        expect(answer.body.data.__schema.queryType).toMatchObject({ name: 'Query' });
      }
    });
  });

  describe('CORS', () => {
    const origin = 'https://shop.example';

    it('permits preflight requests of any origin', async () => {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-api-key,oauth2-token,authorization,x-idempotency-key',
      };
      const answer = await request(url, { method: 'OPTIONS', headers: { ...headers, ...elsewhere() } });
      expect(answer.status).toBeGreaterThanOrEqual(200);
      expect(answer.status).toBeLessThan(300);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('access-control-allow-methods')).toMatch(/POST/);
      for (const name of headers['access-control-request-headers'].split(','))
        expect(answer.headers.get('access-control-allow-headers')).toContain(name);
    });

    it('permits any origin to read answers and errors', async () => {
      for (const answer of [
        await ask(NETWORK, { origin }),
        await ask(NETWORK, { origin, 'x-api-key': 'nonsense' }),
        await ask('{', { origin }),
      ]) {
        expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
        expect(exposed).toEqual(['Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate']);
      }
    });
  });

  it('announces the rate limits of the address, the principal and the account', async () => {
    const answer = await ask(NETWORK, alice.as('all'));
    expect(answer.headers.get('ratelimit-policy')).toBe('"address";q=400;w=60, "principal";q=40;w=60, "account";q=6000;w=60');
    expect(answer.headers.get('ratelimit')).toMatch(/^"address";r=399;t=\d+, "principal";r=39;t=\d+, "account";r=59\d\d;t=\d+$/);
  });

  it('answers 404 below its path', async () => {
    const answer = await request(`${app.url}/graphqlx`, { headers: elsewhere() });
    expect(answer.status).toBe(404);
    expectClean(answer);
  });
});
