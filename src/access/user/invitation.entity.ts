import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** Permits one registration while REGISTRATION=invite. */
@Entity('invitation')
@Unique('invitation_code_hash_unique', ['codeHash'])
@Index('invitation_expires', ['expiresAt'])
@Index('invitation_of_user', ['userId'])
@Check('invitation_ends_once', `used_at IS NULL OR revoked_at IS NULL`)
export class InvitationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitation_pk' })
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
  @ForeignKey(() => UserEntity, { name: 'invitation_user_fk', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'user_id', nullable: true })
  readonly userId!: string | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  readonly revokedAt!: Date | null;
}
