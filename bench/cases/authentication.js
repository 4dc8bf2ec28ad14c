import { graphqlHead, openCallers } from '../harness/graphql.js';
import { runLoad } from '../harness/load.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 16;
const BODY = JSON.stringify({ query: '{ globals { network } }' });
/** The result is the difference of two large numbers: it needs more and shorter rounds than other cases. */
const FINER = 2;

export default {
  name: 'authentication',
  title: 'API authentication of a warm key, server CPU a request',
  reference: 'the same query, anonymous',
  unit: 'µs CPU',
  target: { atMost: 20, difference: true },
  async run({ fixture, server, plan }) {
    const callers = await openCallers(server.port, CALLERS);
    const keyed = fixture.people.slice(0, CALLERS).map(({ key }) => graphqlHead(key));
    const anonymous = keyed.map(() => graphqlHead());
    const cost = (heads) => async (ms) => {
      const { cpu } = await runLoad({
        callers: CALLERS,
        ms,
        pid: server.pid,
        work: (caller) => callers.ask(caller, heads[caller], BODY, '"regtest"'),
      });
      return { value: cpu, cpu };
    };
    const finer = { ...plan, sliceMs: plan.sliceMs / FINER, rounds: plan.rounds * FINER };
    try {
      return await compare(finer, { ours: cost(keyed), reference: cost(anonymous) }, (ours, reference) => ours.value - reference.value);
    } finally {
      callers.close();
    }
  },
};
