import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Permits one registration while REGISTRATION=invite. */
@Entity('invitation')
export class InvitationEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('bytea', { name: 'code_hash' })
  readonly codeHash!: Buffer;

  /** The operator's own words, such as the name of the person. */
  @Column('text')
  readonly note!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  readonly usedAt!: Date | null;

  /** The person who registered with it. Null also after a use for an e-mail address that had an account, which made no user. */
  @Column('uuid', { name: 'user_id', nullable: true })
  readonly userId!: string | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  readonly revokedAt!: Date | null;
}
