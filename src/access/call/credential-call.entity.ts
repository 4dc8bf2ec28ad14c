import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { LoggedCall } from '../../edge/auth/index.js';

/** A call of an API key, or refusals of an app that have one operation and one cause. */
@Entity('credential_call')
@Check('credential_call_kind_known', `kind IN ('api-key', 'client')`)
export class CredentialCallEntity {
  /** The id of the key or of the client. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'credential_call_pk' })
  readonly owner!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'credential_call_pk' })
  readonly line!: string;

  @Column('text')
  readonly kind!: LoggedCall['kind'];

  /** The latest. */
  @Column('timestamptz')
  readonly at!: Date;

  @Column('text')
  readonly operation!: string;

  @Column('text')
  readonly outcome!: string;

  @Column('integer', { nullable: true })
  readonly cost!: number | null;

  @Column('text', { nullable: true })
  readonly sent!: string | null;

  @Column('text', { nullable: true })
  readonly registered!: string | null;

  @Column('integer')
  readonly count!: number;
}
