export { CommandError, UsageError, type Arguments, type Command, type CommandOptions } from '../operator/command/index.js';
export { runCommand, type RunCommandOptions } from './run-command.js';
