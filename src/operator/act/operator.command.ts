import { Config } from '../../platform/config/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { AccountService } from '../../money/wallet/index.js';
import { JOURNALS_OF_BLOCK, LedgerService } from '../../money/ledger/index.js';
import { SigningKeys } from '../../access/oauth/index.js';
import { OperatorService } from '../../access/user/index.js';
import { OperatorActions, type LoggedAction } from '../../platform/operator-action/index.js';
import {
  BECAUSE_OPTION,
  CommandError,
  commandsOf,
  isRowNumber,
  LIMIT_OPTION,
  listed,
  UsageError,
  type OperatorCall,
  type ResultCommand,
} from '../command/index.js';
import { ON_USER, userNamed } from './named.js';

export const keysCommands = commandsOf({
  name: 'keys rotate',
  summary: 'Replaces the keys that sign ID tokens. The old keys stay published for 25 hours',
  options: BECAUSE_OPTION,
  async run(call) {
    const keys = await call.get(SigningKeys).rotateNow(call.recording());
    const [{ kid, signsFrom } = {}] = keys;
    const lines = keys.map((each) => `Signing key ${each.kid} (${each.alg}) is published and signs from ${each.signsFrom.toISOString()}.`);
    return { found: { kid, signsFrom, keys }, lines: [...lines, 'The old keys stay published for 25 hours.'] };
  },
});

/** The database that a command worked on, without the secrets of its URL. */
function databaseLabelOf({ database: { url }, dataDir }: Config): string {
  if (url === undefined) return `data folder ${dataDir}`;
  if (!URL.canParse(url)) return 'database of DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `database ${host}${pathname}`;
}

export const auditCommands = commandsOf({
  name: 'audit',
  summary: "Checks the ledger's invariants",
  async run(call) {
    const ledger = call.get(LedgerService);
    const findings = await ledger.audit();
    const { blocks, digest } = await ledger.auditMark();
    const history = { journals: blocks * JOURNALS_OF_BLOCK, digest: digest.toString('hex') };
    const databaseLabel = databaseLabelOf(call.get(Config));
    const found = { findings, place: databaseLabel, history };
    const counts = findings.map(({ what, count }) => `\n  ${what}: ${count}`).join('');
    if (findings.length > 0)
      return { found, lines: [], failure: `Ledger invariants violated (${findings.length} findings, ${databaseLabel}):${counts}` };
    const lines = [`Ledger OK (${databaseLabel})`];
    if (blocks > 0n) lines.push(`Digest of journals 1 to ${history.journals}: ${history.digest}`);
    return { found, lines };
  },
});

const changeCommand = (verb: 'add' | 'remove', summary: string, already: string): ResultCommand => ({
  name: `operator ${verb}`,
  summary,
  ...ON_USER,
  async run(call) {
    const { id, username } = await userNamed(call, call.argument);
    const outcome = await call.get(OperatorService).change(id, verb === 'add', call.by);
    if (outcome === 'not_found') throw new CommandError('The user has been deleted meanwhile');
    if (outcome === 'already') throw new CommandError(`${username} ${already}`);
    return { found: { id, username, isOperator: verb === 'add' }, lines: [`${username} is ${verb === 'add' ? 'an' : 'no'} operator now.`] };
  },
});

type NamedAction = LoggedAction & { readonly name: string | null };

const line = ({ id, at, who, action, subject, name, because }: NamedAction): string =>
  [id, at.toISOString(), who, action, name === null ? subject : `${subject} (${name})`, because].filter((part) => part !== '').join('  ');

/** With the names of users, of the owners of accounts, and what an action has noted of its subject: the name of an app, or of a user that has gone. */
async function named(call: OperatorCall, actions: readonly LoggedAction[]): Promise<NamedAction[]> {
  const owners = await call.get(AccountService).ownersOf(actions.flatMap(({ subject }) => (isUuid(subject) ? [subject] : [])));
  return actions.map((action) => {
    const owner = owners.find(({ accountId, userId }) => [accountId, userId].includes(action.subject));
    const { username, name } = action.details as { readonly username?: string; readonly name?: string };
    return { ...action, name: owner?.username ?? username ?? name ?? null };
  });
}

function beforeIn(call: OperatorCall): bigint | null {
  const before = call.text('before');
  if (before === undefined) return null;
  if (!isRowNumber(before)) throw new UsageError('--before must be the number of an entry');
  return BigInt(before);
}

export const operatorCommands = commandsOf(
  changeCommand('add', 'Makes a user an operator: they can propose and approve adjustments', 'is an operator already'),
  changeCommand('remove', 'Dismisses an operator; their open adjustments cannot be approved any more', 'is no operator'),
  {
    name: 'operator list',
    summary: 'Lists the operators',
    run: async (call) =>
      listed(
        await call.get(OperatorService).list(),
        ({ username, email }) => `${username}  ${email}`,
        'There are no operators. "operator add" makes a user one.',
      ),
  },
  {
    name: 'operator log',
    summary: 'Lists what operators have done, when and why, the latest first',
    options: {
      '--subject <id>': 'only what was done to this payment, adjustment, account, user, app or invitation',
      '--who <name>': 'only what this operator has done',
      '--action <name>': 'only actions whose name begins so, such as adjust',
      ...LIMIT_OPTION,
      '--before <number>': 'the page after the entry with this number',
    },
    async run(call) {
      const { limit } = call;
      const [subject, who, action] = [call.text('subject') ?? null, call.text('who') ?? null, call.text('action') ?? null];
      const entries = await call.get(OperatorActions).page({ subject, who, action, before: beforeIn(call), limit });
      const more =
        entries.length === limit ? [`More: ${call.program} operator log --before ${entries.at(-1)?.id}, with the same options`] : [];
      return listed(await named(call, entries), line, 'No such entries.', more);
    },
  },
);
