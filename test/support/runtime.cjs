// Jest's module loader for tests with a database: Node loads Sluice as it was built, once a worker, like its packages (src/testing/jest/runtime.cjs).
const { createRequire } = require('node:module');
const { dirname, join, sep } = require('node:path');
const OneRealmRuntime = require('../../src/testing/jest/runtime.cjs');

const ROOT = join(__dirname, '../..');
const SOURCES = join(ROOT, 'src') + sep;
const requireOfNode = createRequire(__filename);

module.exports = class BuiltRuntime extends OneRealmRuntime {
  requireModule(from, name, options, isRequireActual) {
    const path = name?.startsWith('.') ? join(dirname(from), name) : '';
    return path.startsWith(SOURCES)
      ? requireOfNode(join(ROOT, 'dist', path.slice(ROOT.length)))
      : super.requireModule(from, name, options, isRequireActual);
  }
};
