// SWC's options, shared by the build (scripts/build.js), the tests, and the preset for other projects.

/**
 * SWC's options for a project's own TypeScript.
 * Decorators carry type metadata: Nest injects by constructor types, TypeORM and class-validator read property types.
 *
 * @param {'es6' | 'commonjs'} moduleType ESM for the build; CommonJS for Jest, which cannot load ESM on Node 20
 */
function typescriptOptions(moduleType) {
  return {
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      keepClassNames: true,
    },
    module: { type: moduleType },
  };
}

module.exports = { typescriptOptions };
