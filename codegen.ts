import { existsSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { codegenBase, rowsFrom } from './src/edge/graphql/codegen-base.js';

type Outputs = CodegenConfig['generates'];

const core: Outputs = {
  'src/generated/graphql.ts': {
    schema: ['schema.graphql'],
    plugins: [...codegenBase.plugins],
    config: { ...codegenBase.config, ...rowsFrom((folder) => `../${folder}/index.js`) },
  },
};

/**
 * The living example takes everything from the public surface, as an extension outside of this repository does. Its file has the types of
 * what it adds: of the core it gets the names alone that its SDL uses, and not all types once more.
 */
const TIPPING = 'test/extensions/tipping';
const USED = 'scalar SatAmount type Query type Subscription type Transaction';
const { contextType, mappers } = rowsFrom(() => '../../../src/index.js');
const tipping: Outputs = existsSync(`${TIPPING}/tipping.graphql`)
  ? {
      [`${TIPPING}/generated.ts`]: {
        schema: [USED, `${TIPPING}/tipping.graphql`],
        plugins: [...codegenBase.plugins],
        config: { ...codegenBase.config, contextType, mappers: { Transaction: mappers['Transaction'] } },
      },
    }
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
