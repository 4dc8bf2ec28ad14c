import type pg from 'pg';
import { ConfigError } from '../config/index.js';
import { Mac } from '../kernel/mac.js';
import { sql } from './sql.js';

const ACCEPT = sql`SELECT secret_key_accept($1, $2) AS accepted`;

export interface SecretKeys {
  readonly secretKey: string;
  readonly secretKeyPrevious: string | undefined;
}

/**
 * With another key the database's signing keys and secrets of webhooks cannot be read, and forms, sign-ins and sealed orders of other
 * processes are refused: better no start than half of one.
 * @throws ConfigError when the database knows neither key
 */
export async function checkSecretKey(pool: pg.Pool, { secretKey, secretKeyPrevious }: SecretKeys): Promise<void> {
  const [code, previous] = [secretKey, secretKeyPrevious].map((key) =>
    key === undefined ? null : new Mac('sluice secret key v1', key).of(),
  );
  const { rows } = await pool.query<{ accepted: boolean }>({ ...ACCEPT, values: [code, previous] });
  if (!rows[0]?.accepted)
    throw new ConfigError([
      'SECRET_KEY is not the key that this database was used with. Set that one, or SECRET_KEY_PREVIOUS to it; docs/operating-database.md says what to do if it is lost',
    ]);
}
