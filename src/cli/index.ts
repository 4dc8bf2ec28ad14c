export { CommandError, UsageError, type Arguments, type Command } from './command.js';
export { runCommand, type CommandOptions } from './run-command.js';
