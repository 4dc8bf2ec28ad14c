import { text, UsageError, type Arguments, type CommandOptions } from './command.js';

/** Required of commands that change money or access. */
export const BECAUSE_OPTION: CommandOptions = { '--because <text>': 'the reason, for the log of operators' };

/** The value of `--because`. @throws UsageError when it is blank */
export function becauseIn(args: Arguments): string {
  const because = text(args, 'because')?.trim();
  if (!because) throw new UsageError('--because must not be empty');
  return because;
}

/** The same where it is optional; empty without. */
export const reasonIn = (args: Arguments): string => text(args, 'because')?.trim() ?? '';
