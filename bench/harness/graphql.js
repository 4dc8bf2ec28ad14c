// Callers of Sluice's GraphQL endpoint.
import { HttpCaller, headOf } from './http-caller.js';

/** The head of a GraphQL request; without a key it is anonymous. */
export const graphqlHead = (key, path = '/graphql') => headOf(path, key ? { 'x-api-key': key } : {});

/**
 * Opens `count` connections.
 * @returns `ask(caller, head, body, expected)`, which throws when the response does not contain `expected`, and `close()`
 */
export async function openCallers(port, count) {
  const callers = await HttpCaller.openMany(port, count);
  return {
    async ask(caller, head, body, expected) {
      const answer = await callers[caller].post(head, body);
      if (!answer.includes(expected)) throw new Error(`Expected ${expected}, got ${answer.slice(0, 500)}`);
      return answer;
    },
    close: () => callers.forEach((caller) => caller.close()),
  };
}

/** Builds request bodies that differ only in their input. */
export function bodyFor(query) {
  const start = `{"query":${JSON.stringify(query)},"variables":{"input":`;
  return (input) => `${start}${JSON.stringify(input)}}}`;
}
