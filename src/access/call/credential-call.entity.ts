import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LoggedCall } from '../../edge/auth/index.js';

/** A call of an API key, or refusals of a key or an app that have one operation and one cause. */
@Entity('credential_call')
export class CredentialCallEntity {
  /** The id of the key or of the client. */
  @PrimaryColumn('text')
  readonly owner!: string;

  @PrimaryColumn('text')
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
