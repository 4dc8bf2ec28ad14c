import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A back-channel logout that was received, for an hour: its token counts once. */
@Entity('identity_logout')
export class IdentityLogoutEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'identity_logout_pk' })
  readonly issuer!: string;

  /** The `jti` of its token. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'identity_logout_pk' })
  readonly id!: string;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  readonly receivedAt!: Date;
}
