import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BudgetWindow } from '../limit/index.js';

@Entity('api_key')
export class ApiKeyEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

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
