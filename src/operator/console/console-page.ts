import { COMMANDS } from '../act/index.js';
import type { OperatorCommand } from '../command/index.js';

/** A page of the console: what one command shows, and the commands that a person starts from there. */
export interface ConsolePage {
  readonly path: string;
  readonly title: string;
  /** The command whose result it shows. A page whose command has an argument belongs to one row of another page. */
  readonly command: string;
  /** Properties of a row with the titles of their columns. Without them the page shows the lines of the command. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Options of the command by which a person finds rows. */
  readonly filters?: readonly string[];
  /** The page of a row, which gets this property. */
  readonly opens?: { readonly page: string; readonly by: string };
  /** Commands that a person starts here, with the words on their buttons. */
  readonly acts?: Readonly<Record<string, string>>;
  /** On the page of a row: others about the same. */
  readonly besides?: readonly string[];
}

export const PAGES: readonly ConsolePage[] = [
  {
    path: 'applications',
    title: 'Applications',
    command: 'client list',
    columns: { name: 'Name', status: 'State', ownerUsername: 'Of', id: 'Id' },
    filters: ['waiting'],
    opens: { page: 'application', by: 'id' },
  },
  {
    path: 'application',
    title: 'Application',
    command: 'client show',
    acts: {
      'client approve': 'Approve',
      'client refuse': 'Refuse',
      'client suspend': 'Suspend',
      'client resume': 'End the suspension',
      'client revoke-keys': 'Revoke its API keys',
    },
  },
  {
    path: 'users',
    title: 'Users',
    command: 'user list',
    columns: { username: 'User', email: 'E-mail', createdAt: 'Created', disabledAt: 'Disabled' },
    filters: ['search', 'after'],
    opens: { page: 'user', by: 'username' },
  },
  {
    path: 'user',
    title: 'User',
    command: 'user show',
    acts: {
      'user disable': 'Disable',
      'user enable': 'Enable',
      'user sign-out': 'Sign out',
      'user reset-link': 'Create a reset link',
      'user reset-factor': 'Remove the second factor',
      'account level': 'Change the level',
      'key revoke': 'Revoke API keys',
    },
    besides: ['account'],
  },
  {
    path: 'account',
    title: 'Account',
    command: 'account show',
    acts: { 'account level': 'Change the level', freeze: 'Stop sends', thaw: 'Allow sends' },
    besides: ['user'],
  },
  {
    path: 'invitations',
    title: 'Invitations',
    command: 'invitation list',
    columns: { id: 'Id', state: 'State', note: 'Note', expiresAt: 'Expires', username: 'Used by' },
    acts: { 'invitation create': 'Invite', 'invitation revoke': 'Revoke' },
  },
  {
    path: 'payments',
    title: 'Payments',
    command: 'payment list',
    columns: { id: 'Id', state: 'State', createdAt: 'Began', amountMsat: 'Millisatoshis', failure: 'Failure' },
    filters: ['state', 'older-than', 'account', 'after'],
    opens: { page: 'payment', by: 'id' },
  },
  { path: 'payment', title: 'Payment', command: 'payment show', acts: { 'payment resolve': 'End this payment' } },
  {
    path: 'settlements',
    title: 'Settlements to review',
    command: 'settlement list',
    columns: {
      paymentHash: 'Payment hash',
      outcome: 'Outcome',
      amountMsat: 'Millisatoshis',
      createdAt: 'Received',
      txid: 'Transaction',
      vout: 'Output',
      sats: 'Satoshis',
    },
    acts: {
      'settlement book': 'Book to an account',
      'settlement return': 'Return to the sender',
      'deposit book': 'Book a deposit to an account',
      'deposit release': 'End the hold of a deposit',
    },
  },
  {
    path: 'freezes',
    title: 'Stopped sends and access',
    command: 'frozen',
    columns: { subject: 'Account', cause: 'Cause', since: 'Since', because: 'Because' },
    acts: { freeze: 'Stop sends', thaw: 'Allow sends', pause: 'Pause access', resume: 'Resume access' },
  },
  {
    path: 'adjustments',
    title: 'Adjustments',
    command: 'adjust list',
    columns: { id: 'Id', state: 'State', amountMsat: 'Millisatoshis', proposer: 'Proposed by', because: 'Because' },
    opens: { page: 'adjustment', by: 'id' },
    acts: { 'adjust propose': 'Propose' },
  },
  { path: 'adjustment', title: 'Adjustment', command: 'adjust show', acts: { 'adjust approve': 'Approve', 'adjust refuse': 'Refuse' } },
  { path: 'reconciliation', title: 'Node and ledger', command: 'reconcile', filters: ['days'], acts: { reconcile: 'Accept a difference' } },
  { path: 'node', title: 'LND node', command: 'lnd check' },
  { path: 'ledger', title: 'Ledger', command: 'audit' },
  {
    path: 'jobs',
    title: 'Jobs',
    command: 'jobs list',
    columns: { id: 'Job', task: 'Task', state: 'State', runAt: 'Runs', attempts: 'Attempts', error: 'Error' },
    filters: ['failed'],
    acts: { 'jobs retry': 'Run again', 'jobs forget': 'Delete' },
  },
  {
    path: 'consumers',
    title: 'Consumers and dead letters',
    command: 'events list',
    columns: { name: 'Consumer', state: 'State', lagSeconds: 'Seconds behind', deadLetters: 'Dead letters', error: 'Error' },
    acts: { 'events replay': 'Handle again', 'events forget': 'Delete' },
  },
  {
    path: 'log',
    title: 'Log of operators',
    command: 'operator log',
    columns: { id: 'Entry', at: 'When', who: 'Who', action: 'Action', subject: 'Subject', name: 'Name', because: 'Because' },
    filters: ['subject', 'who', 'action', 'before'],
  },
  {
    path: 'limits',
    title: 'Limits',
    command: 'limits',
    columns: { name: 'Limit', limit: 'Value', windowSeconds: 'In seconds', variable: 'Variable', counts: 'Counts' },
  },
  {
    path: 'operators',
    title: 'Operators',
    command: 'operator list',
    columns: { username: 'User', email: 'E-mail' },
  },
];

export function pageAt(path: string): ConsolePage | undefined {
  return PAGES.find((each) => each.path === path);
}

/** The page that offers a command; one that no page offers cannot be started here. */
export const pageOffering = (command: string): ConsolePage | undefined => PAGES.find(({ acts = {} }) => Object.hasOwn(acts, command));

export function commandNamed(name: string): OperatorCommand {
  const command = COMMANDS.find((each) => each.name === name);
  if (!command) throw new Error(`The console names the command "${name}", which does not exist`);
  return command;
}

const part = encodeURIComponent;

export const paths = {
  home: '/operator',
  done: '/operator/done',
  page: (path: string, row?: string): string => `/operator/${path}${row === undefined ? '' : `?row=${part(row)}`}`,
  act: (command: string): string => `/operator/act/${command.replaceAll(' ', '_')}`,
  /** On the page of a row. @param version of the row that the person has seen, where it has one */
  actOn: ({ path }: ConsolePage, command: string, row: string, version?: unknown): string => {
    const option = Object.keys(commandNamed(command).options ?? {}).some((form) => form.startsWith(`--${path} `)) ? path : 'argument-1';
    return `${paths.act(command)}?${option}=${part(row)}${typeof version === 'number' ? `&seen=${version}` : ''}`;
  },
} as const;

export const commandOf = (act: string): string => act.replaceAll('_', ' ');
