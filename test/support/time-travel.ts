import type { TestApp } from './app.js';

/** Moves the database's time on for single rows: it makes them older, so that no test has to wait. */
export class TimeTravel {
  constructor(private readonly app: Pick<TestApp, 'pool'>) {}

  /** Makes an invoice so much older, together with the node's copy. */
  async invoice(paymentHash: string, seconds: number): Promise<void> {
    // The node's copy first: a look-up between the two would find an expired invoice still open at the node.
    await this.older('simulator.invoice', ['created_at', 'expires_at'], 'payment_hash', paymentHash, seconds);
    await this.older('invoice', ['created_at', 'expires_at'], 'payment_hash', paymentHash, seconds);
  }

  /**
   * Makes the look-up of an expired invoice due that was put off for longer than a claim: the node's answer of before a travel in time counts
   * as one of hours after the expiry.
   */
  async lookUpIsDue(paymentHash: string): Promise<void> {
    await this.app.pool.query(
      `UPDATE invoice SET next_look_at = now() WHERE payment_hash = $1 AND closed_at IS NULL AND next_look_at BETWEEN now() + interval '61 seconds' AND now() + interval '1 hour'`,
      [paymentHash],
    );
  }

  /** Makes a closed invoice old enough to be deleted. */
  async invoiceClosedLongAgo(paymentHash: string): Promise<void> {
    await this.app.pool.query(`UPDATE invoice SET closed_at = closed_at - interval '1 hour' WHERE payment_hash = $1`, [paymentHash]);
  }

  /** Sets when an invoice and the node's copy expire; its text keeps the original expiry. */
  async invoiceEndsIn(paymentHash: string, milliseconds: number): Promise<void> {
    for (const table of ['simulator.invoice', 'invoice'])
      await this.app.pool.query(`UPDATE ${table} SET expires_at = now() + make_interval(secs => $2) WHERE payment_hash = $1`, [
        paymentHash,
        milliseconds / 1000,
      ]);
  }

  /**
   * Makes a payment in flight so much older, with the reconciler's record of it. The time of sending stays: a payment sent before the
   * node's index was known would need the operator.
   */
  async payment(paymentHash: string, seconds: number): Promise<void> {
    await this.older('payment', ['created_at', 'next_check_at', 'not_found_at'], 'payment_hash', paymentHash, seconds);
  }

  /** Makes every payment of a principal so much older. */
  async paymentsOf(principalId: string, seconds: number): Promise<void> {
    await this.older('payment', ['created_at'], 'principal_id', principalId, seconds);
  }

  /** Makes every payment by an app so much older. @param clientId of the app */
  async paymentsOfApp(clientId: string, seconds: number): Promise<void> {
    await this.older('payment', ['created_at'], 'client_id', clientId, seconds);
  }

  /** Makes the history of an account so much older, which the limits of accounts read. */
  async historyOf(accountId: string, seconds: number): Promise<void> {
    await this.older('transaction', ['created_at'], 'account_id', accountId, seconds);
  }

  /** Makes a payment due at the reconciler's next round, whenever the node was last asked. */
  async paymentIsDue(paymentHash: string): Promise<void> {
    await this.app.pool.query(`UPDATE payment SET next_check_at = now() WHERE payment_hash = $1`, [paymentHash]);
  }

  /** Makes every attempt of a webhook due that no process makes at this moment. */
  async webhooksAreDue(): Promise<void> {
    await this.webhooks('claim IS NULL');
  }

  /** Ends every claim too, as if the processes that hold them had died long ago. */
  async webhookClaimsAreOver(): Promise<void> {
    await this.webhooks('true');
  }

  /** Makes every idempotency key so much older, in whatever state. */
  async idempotencyKeys(seconds: number): Promise<void> {
    const moves = ['claimed_until', 'created_at'].map((column) => `${column} = ${column} - make_interval(secs => $1)`);
    await this.app.pool.query(`UPDATE idempotency SET ${moves.join(', ')}`, [seconds]);
  }

  async apiKeyEndsIn(keyHash: Buffer, milliseconds: number): Promise<void> {
    await this.app.pool.query(`UPDATE api_key SET expires_at = now() + make_interval(secs => $2) WHERE key_hash = $1`, [
      keyHash,
      milliseconds / 1000,
    ]);
  }

  private async webhooks(which: string): Promise<void> {
    await this.app.pool.query(
      `UPDATE job SET run_at = now() WHERE task = 'webhook' AND ${which}; UPDATE job_owner SET turn_at = least(turn_at, now())`,
    );
  }

  private async older(table: string, columns: readonly string[], key: string, value: string, seconds: number): Promise<void> {
    const moves = columns.map((column) => `${column} = ${column} - make_interval(secs => $2)`);
    await this.app.pool.query(`UPDATE ${table} SET ${moves.join(', ')} WHERE ${key} = $1`, [value, seconds]);
  }
}
