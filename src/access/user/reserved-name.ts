/** Names that a person could use to pose as the operator, or that mail and web servers give a meaning (RFC 2142). */
const RESERVED: ReadonlySet<string> = new Set([
  ...['abuse', 'hostmaster', 'info', 'mailer_daemon', 'marketing', 'news', 'noc', 'no_reply', 'noreply', 'postmaster', 'sales', 'security'],
  ...[
    'admin',
    'administrator',
    'help',
    'helpdesk',
    'moderator',
    'official',
    'operator',
    'owner',
    'staff',
    'superuser',
    'support',
    'sysadmin',
  ],
  ...[
    'system',
    'team',
    'webmaster',
    'root',
    'sluice',
    'bank',
    'billing',
    'payments',
    'treasury',
    'wallet',
    'anonymous',
    'null',
    'undefined',
  ],
]);

export const isReservedName = (username: string): boolean => RESERVED.has(username);
