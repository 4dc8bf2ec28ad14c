import type { Tx } from '../../platform/database/index.js';
import { OperatorActions } from '../../platform/operator-action/index.js';
import { operatorName, text, UsageError, type Arguments, type CommandOptions, type OperatorContext } from '../command/index.js';

/** The reason may be empty where a command does not require one. */
interface ActionToRecord {
  readonly action: string;
  readonly because: string;
  readonly details?: object;
}

/** Writes the operators' log in the transaction of a change; who: see `operatorName`. */
export const recording =
  (app: OperatorContext, { action, because, details = {} }: ActionToRecord) =>
  (tx: Tx, subject: string): Promise<void> =>
    app.get(OperatorActions).record(tx, { who: operatorName(app), action, subject, because, details });

export const BECAUSE_OPTION: CommandOptions = { '--because <text>': 'the reason, for the log of operators' };

/** The value of `--because`. @throws UsageError when it is blank */
export function becauseIn(args: Arguments): string {
  const because = text(args, 'because')?.trim();
  if (!because) throw new UsageError('--because must not be empty');
  return because;
}

export const reasonIn = (args: Arguments): string => text(args, 'because')?.trim() ?? '';

/** Who runs the command, and why, for what records by itself. */
export const actorIn = (app: OperatorContext, args: Arguments): { readonly who: string; readonly because: string } => ({
  who: operatorName(app),
  because: reasonIn(args),
});

export const recordingIn = (app: OperatorContext, args: Arguments, action: string): ReturnType<typeof recording> =>
  recording(app, { action, because: reasonIn(args) });
