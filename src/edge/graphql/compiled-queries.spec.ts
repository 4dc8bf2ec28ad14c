import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { GraphQLRequestContextResponseForOperation } from '@apollo/server';
import { buildSchema, Kind, parse } from 'graphql';
import { Metrics } from '../../platform/metrics/index.js';
import { CompiledQueries } from './compiled-queries.js';

const schema = buildSchema(readFileSync(join(__dirname, '../../../schema.graphql'), 'utf8'));
const ROW = 'id externalId direction status memo createdAt settlementAmount settlementFee settlementCurrency settlementDisplayAmount';
/** As often as a query runs before it is compiled. */
const HOT = 20;
const MAX_GROWTH = 8 * 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('keeps no code of queries that it has let go', async () => {
  const metrics = new Metrics();
  const listener = await new CompiledQueries(metrics).requestDidStart();
  /** The alias makes the code of each query another one: V8 keeps the same code once. */
  const run = async (name: string): Promise<void> => {
    const document = parse(
      `query ${name} { me { defaultAccount { ${name}: wallets { transactions(first: 1) { edges { node { ${ROW} } } } } } } }`,
    );
    const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
    const asked = { schema, document, operation, request: {}, contextValue: {} };
    for (let n = 0; n <= HOT; n++)
      await listener.responseForOperation?.(asked as unknown as GraphQLRequestContextResponseForOperation<object>);
  };
  const runMany = async (name: string, count: number): Promise<number> => {
    for (let n = 0; n < count; n++) await run(`${name}${n}`);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  // The compiler is loaded when the first query is hot.
  do {
    await run('Zeroth');
    await setImmediate();
  } while (!/^sluice_graphql_compiled_queries [1-9]/m.test(await metrics.text()));
  const full = await runMany('First', 400);
  expect((await runMany('Next', 500)) - full).toBeLessThan(MAX_GROWTH);
});
