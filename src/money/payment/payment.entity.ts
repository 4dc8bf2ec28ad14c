import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `in_flight`: its money is held; the others are final. */
export type PaymentState = 'in_flight' | 'settled' | 'failed';

/**
 * How the money leaves, as `payment_begin` has decided: `ln` by the Lightning node; `internal` by an invoice of Sluice's own; `intraledger`
 * to a wallet; `onchain` to a bitcoin address, which is its payment request. `payment_kind_fits` states what the row of each kind has, and `PaymentRails` which rail it belongs to.
 */
export type PaymentKind = 'ln' | 'internal' | 'intraledger' | 'onchain';

/** An outgoing payment, from held to settled or failed. Written by SQL functions only. */
@Entity('payment')
export class PaymentEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @Column('uuid', { name: 'wallet_id' })
  readonly walletId!: string;

  @Column('text')
  readonly kind!: PaymentKind;

  @Column('text', { name: 'payment_hash', nullable: true })
  readonly paymentHash!: string | null;

  @Column('text', { name: 'payment_request', nullable: true })
  readonly paymentRequest!: string | null;

  /** A Lightning address or the host of an LNURL, for pages. */
  @Column('text', { nullable: true })
  readonly payee!: string | null;

  @Column('bigint', { name: 'amount_msat' })
  readonly amountMsat!: bigint;

  @Column('bigint', { name: 'fee_limit_msat' })
  readonly feeLimitMsat!: bigint;

  @Column('bigint', { name: 'fee_msat', nullable: true })
  readonly feeMsat!: bigint | null;

  @Column('text', { name: 'node_id', nullable: true })
  readonly nodeId!: string | null;

  @Column('text')
  readonly state!: PaymentState;

  @Column('text', { nullable: true })
  readonly preimage!: string | null;

  @Column('text', { nullable: true })
  readonly failure!: string | null;

  @Column('text', { name: 'principal_id' })
  readonly principalId!: string;

  /** The app that pays, or that created the API key that does. */
  @Column('text', { name: 'client_id', nullable: true })
  readonly clientId!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'clock_timestamp()' })
  readonly createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'finished_at', precision: 3, nullable: true })
  readonly finishedAt!: Date | null;

  @Column('timestamptz', { name: 'next_check_at', default: () => 'now()' })
  readonly nextCheckAt!: Date;

  @Column('integer', { default: 0 })
  readonly checks!: number;

  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  readonly dispatchedAt!: Date | null;

  /** It begins with its process's id, all but the last twelve digits (`payment_dispatcher`); that of a process of 0.3.0 is random. */
  @Column('uuid', { name: 'dispatch_token', nullable: true })
  readonly dispatchToken!: string | null;

  /** The node has reported it in flight: from then on, the node's status of the hash is about this payment. */
  @Column('boolean', { name: 'seen_in_flight', default: false })
  readonly seenInFlight!: boolean;

  /** Of the first such answer in a row. */
  @Column('timestamptz', { name: 'not_found_at', nullable: true })
  readonly notFoundAt!: Date | null;

  /** These answers came over connections that were opened after the sender was gone. */
  @Column('boolean', { name: 'not_found_anew', default: false })
  readonly notFoundAnew!: boolean;

  /** The call that sent it has ended without an outcome, and so has its connection. */
  @Column('timestamptz', { name: 'disconnected_at', nullable: true })
  readonly disconnectedAt!: Date | null;

  /** A wallet in dollars is charged this, and the fee. */
  @Column('bigint', { name: 'amount_cents', nullable: true })
  readonly amountCents!: bigint | null;

  /** A wallet in dollars is charged at most this. */
  @Column('bigint', { name: 'held_cents', nullable: true })
  readonly heldCents!: bigint | null;

  /** The price that the dealer has promised; null: nothing is exchanged. */
  @Column('bigint', { name: 'dealer_cents_per_btc', nullable: true })
  readonly dealerCentsPerBtc!: bigint | null;
}

/** How far a node has counted its payments. Written by the reconciler's statements only. */
@Entity('payment_node')
export class PaymentNodeEntity {
  @PrimaryColumn('text', { name: 'node_id' })
  readonly nodeId!: string;

  @Column('bigint', { name: 'payment_index' })
  readonly paymentIndex!: bigint;

  @Column('timestamptz', { name: 'unbroken_since', default: () => 'now()' })
  readonly unbrokenSince!: Date;
}

/** `unexplained`: it may be a payment of Sluice that a restored database has lost. `accepted`: it was, and an operator has seen it. */
export type NodePaymentVerdict = 'own' | 'unexplained' | 'accepted';

/** A payment of a node that the ledger does not know. SQL functions write it (`node_payment.sql`). */
@Entity('node_payment')
export class NodePaymentEntity {
  @PrimaryColumn('text', { name: 'node_id' })
  readonly nodeId!: string;

  @PrimaryColumn('text', { name: 'payment_hash' })
  readonly paymentHash!: string;

  @Column('bigint', { name: 'payment_index' })
  readonly paymentIndex!: bigint;

  @Column('text')
  readonly state!: 'in_flight' | 'settled' | 'failed';

  @Column('bigint', { name: 'amount_msat' })
  readonly amountMsat!: bigint;

  @Column('bigint', { name: 'fee_msat' })
  readonly feeMsat!: bigint;

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt!: Date;

  @Column('text')
  readonly verdict!: NodePaymentVerdict;

  @Column('timestamptz', { name: 'found_at', default: () => 'now()' })
  readonly foundAt!: Date;
}
