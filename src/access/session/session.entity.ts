import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { UserEntity } from '../user/index.js';

@Entity('session')
@Unique('session_token_hash_unique', ['tokenHash'])
@Check('session_purpose', `purpose IN ('page', 'api')`)
@Index('session_of_user', ['userId'])
@Index('session_of_identity', ['identityIssuer', 'identitySid'], { where: 'identity_sid IS NOT NULL' })
export class SessionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'session_pk' })
  readonly id!: string;

  @Column('bytea', { name: 'token_hash' })
  readonly tokenHash!: Buffer;

  @ForeignKey(() => UserEntity, { name: 'session_user_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  /** Where its token is kept: in a page's cookie, or in a script. */
  @Column('text')
  readonly purpose!: 'page' | 'api';

  @Column('text', { name: 'user_agent' })
  readonly userAgent!: string;

  @Column('text')
  readonly address!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'last_seen_at', default: () => 'now()' })
  readonly lastSeenAt!: Date;

  /** When the person last authenticated (OpenID Connect's `auth_time`). */
  @Column('timestamptz', { name: 'auth_time', default: () => 'now()' })
  readonly authTime!: Date;

  /** When the person last proved who they are with the strongest factor that they have; null since a factor was added or removed. */
  @Column('timestamptz', { name: 'factor_at', nullable: true })
  readonly factorAt!: Date | null;

  /** How the person authenticated (RFC 8176). */
  @Column('text', { array: true, default: '{}' })
  readonly amr!: readonly string[];

  /** The provider that proved who the person is; null: the person signed in with a password or a passkey of this server. */
  @Column('text', { name: 'identity_issuer', nullable: true })
  readonly identityIssuer!: string | null;

  /** The provider's own session (OpenID Connect's `sid`), which a back-channel logout names. */
  @Column('text', { name: 'identity_sid', nullable: true })
  readonly identitySid!: string | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  readonly endedAt!: Date | null;
}
