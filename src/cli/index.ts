export { CommandError, UsageError, type Arguments, type Command, type CommandOptions } from './command.js';
export { runCommand, type RunCommandOptions } from './run-command.js';
