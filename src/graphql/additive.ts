import { readFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges, parse, extendSchema, type GraphQLSchema } from 'graphql';

/**
 * Refuses an extension's SDL that is not purely additive: the API that existing clients rely on stays what it is.
 * @throws Error with a sentence that names the extension and what it would break
 */
export function checkAdditive(coreFile: string, extensions: readonly { readonly name: string; readonly schema?: string }[]): void {
  const core = buildSchema(readFileSync(coreFile, 'utf8'));
  let merged: GraphQLSchema = core;
  for (const { name, schema } of extensions) {
    if (schema === undefined) continue;
    const before = merged;
    try {
      merged = extendSchema(before, parse(readFileSync(schema, 'utf8')));
    } catch (error) {
      throw new Error(`Extension ${name} may not change the API: ${(error as Error).message}`, { cause: error });
    }
    const [broken] = findBreakingChanges(core, merged);
    if (broken) throw new Error(`Extension ${name} may not change the API: ${broken.description}`);
  }
}
