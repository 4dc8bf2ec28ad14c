import { userInfo } from 'node:os';
import type { OperatorContext } from './command.js';

/** Who acts, for the operators' log: the operator on the console, or the operating system's user who runs the command. */
export function operatorName({ who }: Pick<OperatorContext, 'who'> = {}): string {
  if (who !== undefined) return who;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
