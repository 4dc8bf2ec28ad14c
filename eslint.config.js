// The rules of the code. What Prettier decides is not here; what the compiler finds is not here either.
// test/architecture/lint.spec.ts plants a breach of each rule of ours. schema.graphql has its own: eslint.schema.js.
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import schema from './eslint.schema.js';

/** Budgets: a file, function or class above its budget contains a second thing. */
const budgets = {
  'max-lines': ['error', { max: 250 }],
  'max-lines-per-function': ['error', { max: 50, skipComments: true }],
  'max-params': ['error', { max: 5 }],
  'max-depth': ['error', 3],
  'max-nested-callbacks': ['error', 3],
};

/** Mistakes that no compiler finds. */
const sense = {
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-console': 'error',
  'no-constant-binary-expression': 'error',
  'no-constant-condition': 'error',
  'no-control-regex': 'error',
  'no-debugger': 'error',
  'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
  'no-empty': 'error',
  'no-else-return': 'error',
  'no-loss-of-precision': 'error',
  'no-new-wrappers': 'error',
  'no-param-reassign': 'error',
  'no-self-compare': 'error',
  'no-template-curly-in-string': 'error',
  'no-unreachable-loop': 'error',
  'no-unsafe-finally': 'error',
  'no-useless-assignment': 'error',
  'no-useless-catch': 'error',
  'no-useless-escape': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  radix: 'error',
};

/** Where the process's environment is read: loadConfig() takes it as a value, and the code that starts an application passes it. */
const ENVIRONMENT_READERS = ['src/platform/config/**', 'src/app/bootstrap.ts', 'src/main.ts', 'src/cli/main.ts'];
const ENV = { name: 'node:process', importNames: ['env'], message: 'Ask Config.' };
const FORWARD_REF = {
  name: '@nestjs/common',
  importNames: ['forwardRef'],
  message: 'Two modules that need each other are one, or need a third.',
};
const NO_ANY = { object: 'AbortSignal', property: 'any', message: 'It keeps memory in signals that live long: use onAbort().' };
const noEnvironment = {
  'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Ask Config.' }, NO_ANY],
  'no-restricted-imports': ['error', { paths: [ENV, FORWARD_REF] }],
};

const typed = {
  'no-restricted-imports': ['error', { paths: [FORWARD_REF] }],
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/no-deprecated': 'error',
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-import-type-side-effects': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/no-non-null-assertion': 'error',
  // The enums of graphql-js are the words of the language: comparing with the word is how one reads it.
  '@typescript-eslint/no-unsafe-enum-comparison': 'off',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all' }],
  '@typescript-eslint/prefer-readonly': 'error',
  '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  // A method that keeps a promise of its interface may be async without awaiting anything.
  '@typescript-eslint/require-await': 'off',
};

const nodeGlobals = Object.fromEntries(
  [
    'process',
    'console',
    'Buffer',
    'URL',
    'URLSearchParams',
    'fetch',
    'Request',
    'Headers',
    'performance',
    'structuredClone',
    'AbortController',
    'AbortSignal',
  ]
    .concat(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask'])
    .map((name) => [name, 'readonly']),
);
const commonJsGlobals = { ...nodeGlobals, require: 'readonly', module: 'writable', __dirname: 'readonly', __filename: 'readonly' };
const browserGlobals = Object.fromEntries(
  ['document', 'navigator', 'location', 'sessionStorage', 'print', 'DOMParser', 'EventSource', 'MutationObserver', 'setTimeout']
    .concat('addEventListener')
    .map((name) => [name, 'readonly']),
);

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', '.data/', 'src/generated/', '**/generated.ts', 'test/output/', '**/node_modules/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  { files: ['**/*.{js,mjs,cjs,ts}'], rules: { ...sense, ...budgets } },

  { files: ['**/*.{js,mjs}'], languageOptions: { globals: nodeGlobals }, rules: { 'no-undef': 'error', 'no-unused-vars': 'error' } },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: commonJsGlobals },
    rules: { 'no-undef': 'error', 'no-unused-vars': 'error' },
  },
  { files: ['src/**/*.js'], languageOptions: { globals: browserGlobals } },
  // A script's answer is what it prints.
  { files: ['scripts/**', 'bench/**', 'test/**/*.mjs'], rules: { 'no-console': 'off' } },

  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: typed,
  },
  { files: ['src/**/*.ts', 'migrations/**/*.ts'], ignores: [...ENVIRONMENT_READERS, '**/*.spec.ts'], rules: noEnvironment },
  // A migration is a list of statements; where to cut it would be arbitrary.
  { files: ['migrations/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  // What src/testing holds are describe() functions.
  { files: ['src/testing/**'], rules: { 'max-lines-per-function': 'off' } },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      // One file an operation: a long list of cases is not a complicated one.
      'max-lines': ['error', { max: 600 }],
      // A describe() is one function around all its tests.
      'max-lines-per-function': 'off',
      'max-nested-callbacks': ['error', 6],
      // Text that looks like a template is what an attacker sends.
      'no-template-curly-in-string': 'off',
      // A test reads answers as they came, whatever shape it asked for; its expectations are the check.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  schema,
);
