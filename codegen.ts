import { existsSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { codegenBase, rowsFrom } from './src/edge/graphql/codegen-base.js';

type Outputs = CodegenConfig['generates'];

const typesFor = (schema: readonly string[], moduleOf: (folder: string) => string): Outputs[string] => ({
  schema: [...schema],
  plugins: [...codegenBase.plugins],
  config: { ...codegenBase.config, ...rowsFrom(moduleOf) },
});

const core: Outputs = { 'src/generated/graphql.ts': typesFor(['schema.graphql'], (folder) => `../${folder}/index.js`) };

/** The living example takes everything from the public surface, as an extension outside of this repository does. */
const TIPPING = 'test/extensions/tipping';
const tipping: Outputs = existsSync(`${TIPPING}/tipping.graphql`)
  ? { [`${TIPPING}/generated.ts`]: typesFor(['schema.graphql', `${TIPPING}/tipping.graphql`], () => '../../../src/index.js') }
  : {};

/** The documents of `sluice/client` with their types. They import nothing of the server. */
const client: Outputs = {
  'src/client/generated.ts': {
    schema: ['schema.graphql'],
    documents: ['src/client/operations.graphql'],
    plugins: ['typescript', 'typescript-operations', 'typed-document-node'],
    config: {
      ...codegenBase.config,
      documentMode: 'string',
      onlyOperationTypes: true,
      skipTypename: true,
      inlineFragmentTypes: 'combine',
      dedupeFragments: true,
      scalars: { ...codegenBase.config.scalars, Timestamp: 'number' },
    },
  },
};

const config: CodegenConfig = { generates: { ...core, ...tipping, ...client } };

export default config;
