// Jest's module loader for environment.cjs. Every test file gets instances of its own of Sluice's modules. Node itself loads packages, once a
// worker, and as ESM or CommonJS as in production: Jest would read, convert, compile and run about 2,000 files of packages for each test file.
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Script, constants } = require('node:vm');
const { packagesOf } = require('./jest-packages.cjs');

const { default: Runtime } = packagesOf('@jest/core')('jest-runtime');
const { ResolverFactory } = packagesOf('@jest/core', 'jest-resolve')('unrs-resolver');

const requireOfNode = createRequire(__filename);
/** Resolves as `import` does: Sluice and its packages must get the same instance of a package that has both kinds of modules. */
const resolver = new ResolverFactory({ conditionNames: ['node', 'import', 'module-sync'], mainFields: ['main'] });
/** The compiled modules of this worker: a module that another test file has run is not compiled again. */
const scripts = new Map();

module.exports = class OneRealmRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    executor.compile = (source, filename) => compile(source, filename, executor.injectedModuleParameters);
  }

  requireModule(from, name, options, isRequireActual) {
    const isPackage = !options?.isInternalModule && /^[@\w]/.test(name ?? '') && !this._resolution.isCoreModule(name);
    return isPackage ? requireOfNode(pathOf(from, name)) : super.requireModule(from, name, options, isRequireActual);
  }
};

function pathOf(from, name) {
  const { path, error } = resolver.sync(dirname(from), name);
  if (!path) throw new Error(`${from} requires ${name}: ${error}`);
  return path;
}

function compile(source, filename, parameters) {
  let compiled = scripts.get(filename);
  if (compiled?.source !== source) {
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const script = new Script(`(function (${parameters.join(', ')}) {${source}\n})`, { filename, importModuleDynamically });
    compiled = { source, script };
    scripts.set(filename, compiled);
  }
  return compiled.script.runInThisContext();
}
