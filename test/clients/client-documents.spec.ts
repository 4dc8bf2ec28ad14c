import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { GraphqlSettings, limitRule, VALIDATION_OPTIONS } from '../../src/edge/graphql/index.js';
import { itWithPython, readPythonModule } from '../support/other-clients.js';
import { PROJECT } from '../support/server-process.js';

const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

/** The operations in the source of a client: from the keyword to the brace that closes the selection. */
function documentsIn(source: string): string[] {
  const starts = source.matchAll(/\b(?:query|mutation|subscription)(?:\s+\w+)?\s*(?:\([^()]*\)\s*)?\{/g);
  return [...starts].map(({ 0: head, index }) => {
    let end = index + head.length;
    for (let depth = 1; depth > 0 && end < source.length; end++) depth += source[end] === '{' ? 1 : source[end] === '}' ? -1 : 0;
    return source.slice(index, end);
  });
}

/** Lowering a limit of documents must not refuse the clients of docs/clients.md. */
describe('the documents of released clients stay below the limits on documents', () => {
  const settings = new GraphqlSettings();
  const schema = buildSchema(read('schema.graphql'));

  function expectWithinLimits(source: string, atLeast: number): void {
    const documents = documentsIn(source);
    expect(documents.length).toBeGreaterThanOrEqual(atLeast);
    for (const text of documents) {
      const document = parse(text);
      expect(document.tokenCount).toBeLessThanOrEqual(settings.GRAPHQL_TOKENS);
      expect(validate(schema, document, [limitRule(settings)], VALIDATION_OPTIONS)).toEqual([]);
    }
  }

  it.each([
    ['graphql-request, urql, Apollo Client and graphql-ws', 'test/client/released-clients.mjs', 5],
    ['lightning-backends and lnurl', 'test/client/node_modules/lightning-backends/lib/backends/blink.js', 5],
  ])('%s', (_clients, path, atLeast) => expectWithinLimits(read(path), atLeast));

  itWithPython('lnbits')('LNbits', () => expectWithinLimits(readPythonModule('lnbits', 'lnbits/wallets/blink.py'), 8));
  itWithPython('nutshell')('nutshell', () => expectWithinLimits(readPythonModule('nutshell', 'cashu/lightning/blink.py'), 8));

  it('refuses a document that exceeds them', () => {
    const fields = Array.from({ length: 6_000 }, (_, index) => `a${index}: globals { network }`).join(' ');
    expect(validate(schema, parse(`{ ${fields} }`), [limitRule(settings)], VALIDATION_OPTIONS)).not.toEqual([]);
  });
});
