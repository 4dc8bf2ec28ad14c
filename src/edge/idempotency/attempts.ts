import { Injectable } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import type { ErrorCode } from '../graphql/index.js';
import { Database, queryOne, sql, type Tx } from '../../platform/database/index.js';

/** Of a response whose secret another run of the request has shown. */
export const WITHHELD = 'This request has already completed; its response contained a secret, which is shown only once';

const ONCE = sql`SELECT idempotency_once($1) AS "isFirst"`;

class Refused extends Error {
  constructor(readonly payload: unknown) {
    super('The payload has errors');
  }
}

const withheld = (): never => {
  throw new GraphQLError(WITHHELD, { extensions: { code: 'IDEMPOTENCY_SECRET_WITHHELD' satisfies ErrorCode } });
};

const hasErrors = (payload: unknown): boolean => ((payload as { errors?: readonly unknown[] } | null | undefined)?.errors?.length ?? 0) > 0;

/**
 * The effect of a mutation under an idempotency key, once. A lease does not ensure that: its process may stand still for longer, while a
 * repeat runs. Payments and invoices need none of this, because their ids are made of the attempt.
 */
@Injectable()
export class Attempts {
  constructor(private readonly database: Database) {}

  /**
   * @param attempt of the call; undefined: it has no key
   * @param effect in the transaction of its attempt; undone if it throws, or returns a payload with errors
   * @param done what another run of the attempt has made; absent: a secret, which is shown only once
   */
  async once<Payload>(
    attempt: string | undefined,
    effect: (tx: Tx) => Promise<Payload>,
    done: () => Payload | Promise<Payload> = withheld,
  ): Promise<Payload> {
    if (attempt === undefined) return effect(this.database);
    try {
      const made = await this.database.transaction(async (tx) => {
        if (!(await queryOne<{ isFirst: boolean }>(tx, ONCE, [attempt])).isFirst) return undefined;
        const payload = await effect(tx);
        if (hasErrors(payload)) throw new Refused(payload);
        return { payload };
      });
      return made ? made.payload : await done();
    } catch (error) {
      if (error instanceof Refused) return error.payload as Payload;
      throw error;
    }
  }
}
