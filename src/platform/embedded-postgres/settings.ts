export const ADMINISTRATOR = 'postgres';
export const DATABASE = 'sluice';

/** Defaults, written into a new cluster's postgresql.conf, where operators may change them. */
const DEFAULTS: Readonly<Record<string, string | number>> = {
  max_connections: 100,
  shared_buffers: '128MB',
  password_encryption: 'scram-sha-256',
  max_wal_size: '1GB',
  wal_compression: 'on',
  // Statements are short: JIT and parallel workers cost more than they save. Parallel workers also need more /dev/shm than a container has.
  jit: 'off',
  max_parallel_workers_per_gather: 0,
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Passed at every start, because the rest of Sluice relies on them. */
const FIXED: Readonly<Record<string, string>> = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%m [%p] ',
  // PostgreSQL returns statement errors to Sluice, which logs the unexpected ones; their text may hold personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/** For tests: a power cut may lose their data. */
const FORGETFUL: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
};

/** The settings that must be on for a committed payment to survive a power cut. */
export const DURABILITY = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

export function clusterSettings(): string {
  const lines = Object.entries(DEFAULTS).map(([name, value]) => `${name} = '${value}'`);
  return ['', '# Set by Sluice when this cluster was made; change them as you like.', ...lines, ''].join('\n');
}

/** Where the server listens: on a socket in this folder, or, without one (on Windows), on a port of the loopback interface. */
export interface ListenAddress {
  readonly socketDir: string | undefined;
  readonly port: number;
}

export function serverArguments(
  data: string,
  { socketDir, port }: ListenAddress,
  durable: boolean,
  more: Readonly<Record<string, string>> = {},
): string[] {
  // The setting is a list: quoting allows commas and spaces in the path.
  const quoted = socketDir === undefined ? '' : `"${socketDir.replaceAll('"', '""')}"`;
  const where = {
    listen_addresses: socketDir === undefined ? '127.0.0.1' : '',
    unix_socket_directories: quoted,
    unix_socket_permissions: '0700',
    port,
  };
  const settings = { ...FIXED, ...where, ...(durable ? {} : FORGETFUL), ...more };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
