import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getIntrospectionQuery, parse, type DocumentNode } from 'graphql';
import { bytesOfDocument } from '../../src/edge/graphql/index.js';
import { SubscriptionExecutor } from '../../src/edge/socket/subscription-executor.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { post, type HttpAnswer } from '../support/http.js';

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Small queries with large answers. They need no credential, so no stranger must be able to stop the server with them. */
describe('GraphQL documents with hidden cost', () => {
  let app: TestApp;
  beforeAll(async () => void (app = await createTestApp({ env: { THROTTLE_ADDRESS: '60000/60' } })));
  afterAll(() => app.close());

  const ask = (query: string): Promise<HttpAnswer> => post(`${app.url}/graphql`, { query });

  it.each([
    ['aliases over the schema', `{ __schema { types { ${times(60, (i) => `a${i}: fields { name type { name } }`)} } } }`],
    [
      'few aliases, over and over',
      `{ __schema { types { ${times(10, (i) => `a${i}: fields { type { ${times(10, (j) => `b${j}: fields { name }`)} } }`)} } } }`,
    ],
    [
      'aliases in a fragment',
      `{ __schema { types { ${times(15, (i) => `a${i}: fields { type { ...f } }`)} } } } fragment f on __Type { ${times(15, (j) => `b${j}: fields { name }`)} }`,
    ],
    [
      'the schema beside a field of ours',
      `{ globals { network } __schema { types { ${times(5, (i) => `a${i}: fields { type { ${times(5, (j) => `b${j}: fields { name }`)} } }`)} } } }`,
    ],
    ['one type, many times', `{ ${times(31, (i) => `t${i}: __type(name: "Query") { name }`)} }`],
  ])('%s: refused without execution, in few bytes', async (_what, query) => {
    const answer = await ask(query);
    expect(answer.status).toBe(200);
    expect(answer.body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
    expect(answer.text.length).toBeLessThan(2_000);
  });

  it('introspection by tools is answered', async () => {
    for (const query of [
      '{ __schema { types { name kind fields { name type { name } args { name } } } } }',
      '{ __type(name: "Query") { fields { name type { fields { name } } } } }',
      '{ globals { network __typename } __type(name: "Mutation") { fields { name } } }',
    ])
      expect((await ask(query)).body.errors).toBeUndefined();
  });

  describe('cached documents', () => {
    setFlagsFromString('--expose_gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => (collect(), process.memoryUsage().heapUsed);
    /** Valid, and as costly as the limits permit. */
    const heavy = (number: number): string => times(118, (i) => `query q${number}_${i} { globals { network } }`);
    const heavySubscription = (number: number): string =>
      `subscription s${number} { myUpdates { errors { message } } } ${times(118, (i) => `query q${number}_${i} { globals { network } }`)}`;

    it('are counted by their size in memory', () => {
      const before = heap();
      const documents: DocumentNode[] = Array.from({ length: 30 }, (_, i) => parse(heavy(i)));
      const each = (heap() - before) / documents.length;
      expect(documents[0] && bytesOfDocument(documents[0])).toBeGreaterThan(each * 0.75);
    });

    it('keep their answers as text alone, within what is counted', async () => {
      const before = heap();
      for (let n = 0; n < 100; n++) expect((await ask(`${getIntrospectionQuery()} # ${n}`)).body.errors).toBeUndefined();
      // 16 MiB of answers, and the documents.
      expect(heap() - before).toBeLessThan(48 * 2 ** 20);
    });

    it('of sockets are few when they are large', async () => {
      const planner = app.get(SubscriptionExecutor);
      for (let i = 0; i < 25; i++)
        expect('args' in (await planner.prepare({ query: heavySubscription(i), operationName: `s${i}` }))).toBe(true);
      const kept = [...(planner as unknown as { documents: Map<string, DocumentNode> }).documents.values()];
      expect(kept.reduce((sum, document) => sum + bytesOfDocument(document), 0)).toBeLessThanOrEqual(16 * 2 ** 20);
      expect(kept.length).toBeGreaterThan(5);
    });
  });
});
