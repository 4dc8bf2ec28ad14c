// What a command of the operator is. The commands are in src/operator/act, which loads the services that they call.
export * from './command.js';
export * from './operator-call.js';
