import { accountCommands } from './account.command.js';
import { adjustCommands } from './adjust.command.js';
import { clientDecisionCommands } from './client-decision.command.js';
import { clientProfileCommands } from './client-profile.command.js';
import { clientCommands } from './client.command.js';
import type { OperatorCommand } from '../command/index.js';
import { depositCommands } from './deposit.command.js';
import { eventsCommands } from './events.command.js';
import { freezeCommands } from './freeze.command.js';
import { invitationCommands } from './invitation.command.js';
import { jobsCommands } from './jobs.command.js';
import { auditCommands, keysCommands, operatorCommands } from './operator.command.js';
import { keyCommands } from './key.command.js';
import { limitsCommands } from './limits.command.js';
import { lndCommands } from './lnd.command.js';
import { paymentCommands } from './payment.command.js';
import { payoutCommands } from './payout.command.js';
import { reconcileCommands } from './reconcile.command.js';
import { settlementCommands } from './settlement.command.js';
import { simulatorCommands } from './simulator.command.js';
import { userCommands } from './user.command.js';
import { webhookCommands } from './webhook.command.js';

export const COMMANDS: readonly OperatorCommand[] = [
  ...simulatorCommands,
  ...userCommands,
  ...accountCommands,
  ...keyCommands,
  ...webhookCommands,
  ...invitationCommands,
  ...clientCommands,
  ...clientDecisionCommands,
  ...clientProfileCommands,
  ...keysCommands,
  ...settlementCommands,
  ...depositCommands,
  ...eventsCommands,
  ...jobsCommands,
  ...limitsCommands,
  ...lndCommands,
  ...auditCommands,
  ...paymentCommands,
  ...payoutCommands,
  ...freezeCommands,
  ...reconcileCommands,
  ...adjustCommands,
  ...operatorCommands,
];
