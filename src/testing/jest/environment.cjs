// A Jest environment without a VM context: test files run in the realm of their worker, one after the other. So a worker loads packages once
// (runtime.cjs), and the errors and arrays of packages and Node are those of the tests. It undoes what a test file changed in the realm.
const { packagesOf } = require('./jest-packages.cjs');

const ofEnvironment = packagesOf('@jest/core', 'jest-config', 'jest-environment-node');
const { ModernFakeTimers } = ofEnvironment('@jest/fake-timers');
const { ModuleMocker } = ofEnvironment('jest-mock');

module.exports = class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  /** Jest's legacy fake timers: nothing uses them. */
  fakeTimers = null;

  constructor({ projectConfig }) {
    const { keptGlobals = [] } = projectConfig.testEnvironmentOptions;
    const mayGo = (key) => !keptGlobals.includes(key);
    this.undo = [rememberListeners(), remember(globalThis, mayGo), remember(process, isPublic), remember(process.env)];
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const undo of this.undo) undo();
  }

  /** How a test file's `require` reads a package's `exports`; runtime.cjs loads packages in another way. */
  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};

/** The listeners of an EventEmitter and their number are in properties with an underscore. */
const isPublic = (key) => !String(key).startsWith('_');

/** @returns a function that gives the object its present properties back, and removes others */
function remember(object, isMeant = () => true) {
  const before = Object.getOwnPropertyDescriptors(object);
  return () => {
    for (const key of Reflect.ownKeys(object)) if (isMeant(key) && !Object.hasOwn(before, key)) Reflect.deleteProperty(object, key);
    for (const key of Reflect.ownKeys(before).filter(isMeant)) {
      const { value, get } = Object.getOwnPropertyDescriptor(object, key) ?? {};
      if (value !== before[key].value || get !== before[key].get) Reflect.defineProperty(object, key, before[key]);
    }
  };
}

/** @returns a function that removes the listeners which this process has not now */
function rememberListeners() {
  const before = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
  return () => {
    for (const event of process.eventNames()) {
      const kept = before.get(event) ?? [];
      for (const listener of process.rawListeners(event)) if (!kept.includes(listener)) process.removeListener(event, listener);
    }
  };
}
