import { Config } from '../platform/config/index.js';
import { JOURNALS_OF_BLOCK, LedgerService } from '../money/ledger/index.js';
import { printResult, JSON_OPTION, CommandError, type Command } from './command.js';
import { SigningKeys } from '../access/oauth/index.js';
import { BECAUSE_OPTION, reasonIn, recording } from './recording.js';

export const keysCommands: readonly Command[] = [
  {
    name: 'keys rotate',
    summary: 'Replaces the key that signs ID tokens. The old keys stay published for 25 hours',
    options: { ...BECAUSE_OPTION, ...JSON_OPTION },
    async run(app, args, print) {
      const { kid, signsFrom } = await app.get(SigningKeys).rotateNow(recording(app, { action: 'keys rotate', because: reasonIn(args) }));
      printResult(args, print, { kid, signsFrom }, [
        `Signing key ${kid} is published and signs from ${signsFrom.toISOString()}. The old keys stay published for 25 hours.`,
      ]);
    },
  },
];

/** The database that a command worked on, without the secrets of its URL. */
function databaseLabelOf({ database: { url }, dataDir }: Config): string {
  if (url === undefined) return `data folder ${dataDir}`;
  if (!URL.canParse(url)) return 'database of DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `database ${host}${pathname}`;
}

export const operatorCommands: readonly Command[] = [
  {
    name: 'audit',
    summary: "Checks the ledger's invariants",
    options: JSON_OPTION,
    async run(app, args, print) {
      const ledger = app.get(LedgerService);
      const findings = await ledger.audit();
      const { blocks, digest } = await ledger.auditMark();
      const history = { journals: blocks * JOURNALS_OF_BLOCK, digest: digest.toString('hex') };
      const databaseLabel = databaseLabelOf(app.get(Config));
      const lines = [`Ledger OK (${databaseLabel})`];
      if (blocks > 0n) lines.push(`Digest of journals 1 to ${history.journals}: ${history.digest}`);
      printResult(args, print, { findings, place: databaseLabel, history }, findings.length === 0 ? lines : []);
      if (findings.length === 0) return;
      throw new CommandError(
        `Ledger invariants violated (${findings.length} findings, ${databaseLabel}):\n${findings.map(({ what, count }) => `  ${what}: ${count}`).join('\n')}`,
      );
    },
  },
];
