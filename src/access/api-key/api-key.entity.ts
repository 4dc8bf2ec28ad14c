import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { BudgetWindow } from '../limit/index.js';
import { UserEntity } from '../user/index.js';

@Entity('api_key_refusal')
@Index('api_key_refusal_at', ['at'])
export class ApiKeyRefusalEntity {
  @ForeignKey(() => ApiKeyEntity, { name: 'api_key_refusal_key_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'api_key_id', primaryKeyConstraintName: 'api_key_refusal_pk' })
  readonly apiKeyId!: string;

  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'api_key_refusal_pk' })
  readonly at!: Date;

  @Column('text')
  readonly cause!: string;

  /** The requested root field, or method and path; null where the key itself was no longer valid. */
  @Column('text', { nullable: true })
  readonly operation!: string | null;

  @Column('text', { nullable: true })
  readonly address!: string | null;
}

@Entity('api_key')
@Unique('api_key_hash_unique', ['keyHash'])
@Unique('api_key_previous_hash_unique', ['previousHash'])
@Check('api_key_previous_whole', '(previous_hash IS NULL) = (previous_until IS NULL)')
@Check('api_key_scopes_some', 'cardinality(scopes) > 0')
@Index('api_key_of_user', ['userId', 'createdAt'])
export class ApiKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_key_pk' })
  readonly id!: string;

  @ForeignKey(() => UserEntity, { name: 'api_key_user_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  @Column('text')
  readonly name!: string;

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  @Column('bytea', { name: 'key_hash' })
  readonly keyHash!: Buffer;

  /** First and last characters: `sluice_9fK…Tz`. */
  @Column('text')
  readonly hint!: string;

  /** Of the secret that its owner replaced last. */
  @Column('bytea', { name: 'previous_hash', nullable: true })
  readonly previousHash!: Buffer | null;

  /** It works until then. */
  @Column('timestamptz', { name: 'previous_until', nullable: true })
  readonly previousUntil!: Date | null;

  @Column('text', { name: 'client_id', nullable: true })
  readonly clientId!: string | null;

  /** The app's connection that created it. It may be gone. */
  @Column('uuid', { name: 'grant_id', nullable: true })
  readonly grantId!: string | null;

  @Column('boolean', { name: 'manage_callbacks', default: false })
  readonly manageCallbacks!: boolean;

  /** The windows whose limit its owner has set: the app that created it may lower these limits only. */
  @Column('text', { name: 'owner_limits', array: true, default: '{}' })
  readonly ownerLimits!: readonly BudgetWindow[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  readonly expiresAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  readonly revokedAt!: Date | null;

  /** At most one second late. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  readonly lastUsedAt!: Date | null;

  @Column('text', { name: 'last_used_address', nullable: true })
  readonly lastUsedAddress!: string | null;

  @Column('timestamptz', { name: 'last_refused_at', nullable: true })
  readonly lastRefusedAt!: Date | null;

  @Column('text', { name: 'last_refusal', nullable: true })
  readonly lastRefusal!: string | null;
}
