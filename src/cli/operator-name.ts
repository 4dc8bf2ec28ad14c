import { userInfo } from 'node:os';

/** The operating system's name of the user who runs the command, for the operators' log. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
