import { Injectable } from '@nestjs/common';
import { columnsOf, Database, sql, type Tx } from '../../platform/database/index.js';
import { randomBytes } from '../../platform/kernel/random.js';
import { hashToken } from '../../platform/kernel/token.js';

export const RECOVERY_CODES = 10;
/** 16 characters of 5 bits each: too many codes to guess one, and no two characters that look alike. */
const CHARACTERS = 16;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const SHAPE = /^[a-z2-9]{16}$/;

const ADD = sql`INSERT INTO user_recovery_code (user_id, code_hash) SELECT $1, unnest($2::bytea[])`;
const DELETE = sql`DELETE FROM user_recovery_code WHERE user_id = $1`;
const USE = sql`WITH used AS (DELETE FROM user_recovery_code WHERE user_id = $1 AND code_hash = $2 RETURNING 1)
         SELECT (SELECT count(*)::int FROM user_recovery_code c WHERE c.user_id = $1) - 1 AS left FROM used`;

const newCode = (): string => Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
/** As a person reads it. */
const shown = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-');

/** Codes that replace a lost factor, each once. */
@Injectable()
export class RecoveryCodes {
  constructor(private readonly database: Database) {}

  /** @returns new codes, which are stored as hashes only; the old ones end */
  async renew(tx: Tx, userId: string): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newCode);
    await tx.query(DELETE, [userId]);
    await tx.query(ADD, [
      userId,
      ...columnsOf(
        codes.map((code) => ({ hash: hashToken(code) })),
        'hash',
      ),
    ]);
    return codes.map(shown);
  }

  async delete(tx: Tx, userId: string): Promise<void> {
    await tx.query(DELETE, [userId]);
  }

  /** @param code without spaces and hyphens, in lower case @returns how many are left after its use; null if it is none */
  async use(userId: string, code: string): Promise<number | null> {
    if (!SHAPE.test(code)) return null;
    const [used] = await this.database.query<{ left: number }>(USE, [userId, hashToken(code)]);
    return used?.left ?? null;
  }
}
