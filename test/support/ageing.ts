import type { TestApp } from './app.js';

/** Time as the database knows it, moved on for single rows: they are made older, and nobody has to wait. */
export class Ageing {
  constructor(private readonly app: TestApp) {}

  /** Makes an invoice as old as if it had been made so much earlier. The node's copy ages with it. */
  async invoice(paymentHash: string, seconds: number): Promise<void> {
    // The node first: asked between the two, it would say of an invoice past its time that it is still open.
    await this.older('simulator.invoice', ['created_at', 'expires_at'], 'payment_hash', paymentHash, seconds);
    await this.older('invoice', ['created_at', 'expires_at'], 'payment_hash', paymentHash, seconds);
  }

  /** Lets an invoice expire so soon from now; its text still says what it said. */
  async invoiceEndsIn(paymentHash: string, milliseconds: number): Promise<void> {
    await this.app.pool.query(`UPDATE invoice SET expires_at = now() + make_interval(secs => $2) WHERE payment_hash = $1`, [
      paymentHash,
      milliseconds / 1000,
    ]);
  }

  /**
   * Makes a payment in flight so much older, and what the reconciler remembers of it. It was sent when it was: sent before its node's count
   * was known, it would be the operator's.
   */
  async payment(paymentHash: string, seconds: number): Promise<void> {
    await this.older('payment', ['created_at', 'next_check_at', 'not_found_at'], 'payment_hash', paymentHash, seconds);
  }

  /** Lets the reconciler ask about a payment at its next round, whenever it last did. */
  async paymentIsDue(paymentHash: string): Promise<void> {
    await this.app.pool.query(`UPDATE payment SET next_check_at = now() WHERE payment_hash = $1`, [paymentHash]);
  }

  /** Makes every idempotency key so much older, whatever became of it. */
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

  private async older(table: string, columns: readonly string[], key: string, value: string, seconds: number): Promise<void> {
    const moves = columns.map((column) => `${column} = ${column} - make_interval(secs => $2)`);
    await this.app.pool.query(`UPDATE ${table} SET ${moves.join(', ')} WHERE ${key} = $1`, [value, seconds]);
  }
}
