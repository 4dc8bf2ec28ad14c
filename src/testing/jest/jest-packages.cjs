// Jest's own packages, as the project that runs the tests has installed them: Sluice does not depend on Jest.
const { createRequire } = require('node:module');
const { join } = require('node:path');

/** @returns the `require` of the last of these packages, each found from the one before it, `jest` first */
function packagesOf(...names) {
  const fromProject = createRequire(join(process.cwd(), 'package.json'));
  return ['jest', ...names].reduce((from, name) => createRequire(from.resolve(name)), fromProject);
}

module.exports = { packagesOf };
