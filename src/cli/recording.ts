import type { INestApplicationContext } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import { OperatorActions } from '../platform/operator-action/index.js';
import { operatorName } from './operator-name.js';

/** What an operator does: the reason may be empty where a command does not require one. */
export interface ActionToRecord {
  readonly action: string;
  readonly because: string;
  readonly details?: object;
}

/** Writes the operators' log in the transaction of a change; who: the operating system's user who runs the command. */
export const recording =
  (app: INestApplicationContext, { action, because, details = {} }: ActionToRecord) =>
  (tx: Tx, subject: string): Promise<void> =>
    app.get(OperatorActions).record(tx, { who: operatorName(), action, subject, because, details });
