import { OperatorActions, type LoggedAction } from '../platform/operator-action/index.js';
import { JSON_OPTION, printResult, text, UsageError, type Arguments, type Command, DEFAULT_ROWS, limitIn, MAX_ROWS } from './command.js';

const MAX_ID = 2n ** 63n - 1n;

const line = ({ id, at, who, action, subject, because }: LoggedAction): string =>
  [id, at.toISOString(), who, action, subject, because].filter((part) => part !== '').join('  ');

function beforeIn(args: Arguments): bigint | null {
  const before = text(args, 'before');
  if (before === undefined) return null;
  if (!/^\d{1,19}$/.test(before) || BigInt(before) > MAX_ID) throw new UsageError('--before must be the number of an entry');
  return BigInt(before);
}

export const operatorLogCommands: readonly Command[] = [
  {
    name: 'operator log',
    summary: 'Lists what operators have done, when and why, the latest first',
    options: {
      '--subject <id>': 'only what was done to this payment, adjustment, account, user or invitation',
      '--who <name>': 'only what this operator has done',
      '--action <name>': 'only actions whose name begins so, such as adjust',
      '--limit <rows>': `how many (default ${DEFAULT_ROWS}, at most ${MAX_ROWS})`,
      '--before <number>': 'the page after the entry with this number',
      ...JSON_OPTION,
    },
    async run(app, args, print, program = 'sluice') {
      const limit = limitIn(args);
      const [subject, who, action] = [text(args, 'subject') ?? null, text(args, 'who') ?? null, text(args, 'action') ?? null];
      const entries = await app.get(OperatorActions).page({ subject, who, action, before: beforeIn(args), limit });
      const lines = entries.length > 0 ? entries.map(line) : ['No such entries.'];
      if (entries.length === limit) lines.push(`More: ${program} operator log --before ${entries.at(-1)?.id}`);
      printResult(args, print, entries, lines);
    },
  },
];
