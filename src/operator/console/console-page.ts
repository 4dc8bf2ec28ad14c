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
  /** On the page of a row: the option that gets the row where it is not the first argument. */
  readonly acts?: readonly (string | { readonly command: string; readonly option: string })[];
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
    acts: ['client approve', 'client refuse', 'client suspend', 'client resume', 'client revoke-keys'],
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
    acts: [
      'user disable',
      'user enable',
      'user sign-out',
      'user reset-link',
      'user reset-factor',
      'account level',
      { command: 'key revoke', option: 'user' },
    ],
    besides: ['account'],
  },
  { path: 'account', title: 'Account', command: 'account show', acts: ['account level', 'freeze', 'thaw'], besides: ['user'] },
  {
    path: 'invitations',
    title: 'Invitations',
    command: 'invitation list',
    columns: { id: 'Id', state: 'State', note: 'Note', expiresAt: 'Expires', username: 'Used by' },
    acts: ['invitation create', 'invitation revoke'],
  },
  {
    path: 'payments',
    title: 'Payments',
    command: 'payment list',
    columns: { id: 'Id', state: 'State', createdAt: 'Began', amountMsat: 'Millisatoshis', failure: 'Failure' },
    filters: ['state', 'older-than', 'account', 'after'],
    opens: { page: 'payment', by: 'id' },
  },
  { path: 'payment', title: 'Payment', command: 'payment show', acts: ['payment resolve'] },
  {
    path: 'settlements',
    title: 'Settlements to review',
    command: 'settlement list',
    columns: { paymentHash: 'Payment hash', outcome: 'Outcome', amountMsat: 'Millisatoshis', createdAt: 'Received' },
    acts: ['settlement book', 'settlement return'],
  },
  {
    path: 'freezes',
    title: 'Stopped sends and access',
    command: 'frozen',
    columns: { subject: 'Account', cause: 'Cause', since: 'Since', because: 'Because' },
    acts: ['freeze', 'thaw', 'pause', 'resume'],
  },
  {
    path: 'adjustments',
    title: 'Adjustments',
    command: 'adjust list',
    columns: { id: 'Id', state: 'State', amountMsat: 'Millisatoshis', proposer: 'Proposed by', because: 'Because' },
    opens: { page: 'adjustment', by: 'id' },
    acts: ['adjust propose'],
  },
  { path: 'adjustment', title: 'Adjustment', command: 'adjust show', acts: ['adjust approve', 'adjust refuse'] },
  { path: 'reconciliation', title: 'Node and ledger', command: 'reconcile', filters: ['days'], acts: ['reconcile'] },
  { path: 'ledger', title: 'Ledger', command: 'audit' },
  {
    path: 'jobs',
    title: 'Jobs',
    command: 'jobs list',
    columns: { id: 'Job', task: 'Task', state: 'State', runAt: 'Runs', attempts: 'Attempts', error: 'Error' },
    filters: ['failed'],
    acts: ['jobs retry', 'jobs forget'],
  },
  {
    path: 'consumers',
    title: 'Consumers and dead letters',
    command: 'events list',
    columns: { name: 'Consumer', state: 'State', lagSeconds: 'Seconds behind', deadLetters: 'Dead letters', error: 'Error' },
    acts: ['events replay', 'events forget'],
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

const part = encodeURIComponent;

export const paths = {
  home: '/operator',
  done: '/operator/done',
  page: (path: string, row?: string): string => `/operator/${path}${row === undefined ? '' : `?row=${part(row)}`}`,
  /** @param option that gets the row; default: the first argument */
  act: (command: string, row?: string, option = 'argument-1'): string =>
    `/operator/act/${command.replaceAll(' ', '_')}${row === undefined ? '' : `?${option}=${part(row)}`}`,
} as const;

export const commandOf = (act: string): string => act.replaceAll('_', ' ');

/** A command that no page offers cannot be started here. */
export const OFFERED: ReadonlySet<string> = new Set(
  PAGES.flatMap(({ acts = [] }) => acts.map((act) => (typeof act === 'string' ? act : act.command))),
);
