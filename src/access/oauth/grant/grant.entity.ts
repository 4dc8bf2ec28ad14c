import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WalletBudget } from '../authorization-details.js';

/** An authorization code: redeemed once, within a minute, by the client it was issued to (RFC 6749 section 4.1.2). */
@Entity('oauth_code')
export class CodeEntity {
  @PrimaryColumn('bytea')
  readonly hash!: Buffer;

  @Column('uuid', { name: 'grant_id' })
  readonly grantId!: string;

  @Column('text', { name: 'client_id' })
  readonly clientId!: string;

  @Column('text', { name: 'redirect_uri' })
  readonly redirectUri!: string;

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  @Column('text', { name: 'code_challenge', nullable: true })
  readonly codeChallenge!: string | null;

  @Column('text', { nullable: true })
  readonly nonce!: string | null;

  /** Thumbprint of the key that its exchange has to prove (RFC 9449 section 10). */
  @Column('text', { name: 'dpop_jkt', nullable: true })
  readonly dpopJkt!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  readonly usedAt!: Date | null;
}

/** One consent of a person to an app, and the family of everything that was issued for it. */
@Entity('oauth_grant')
export class GrantEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'client_id' })
  readonly clientId!: string;

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  /** The services that it is for (RFC 8707); null: the API alone. */
  @Column('text', { array: true, nullable: true })
  readonly audience!: readonly string[] | null;

  @Column('uuid', { name: 'session_id' })
  readonly sessionId!: string;

  @Column('timestamptz', { name: 'auth_time' })
  readonly authTime!: Date;

  /** How the person had authenticated in that session (RFC 8176). */
  @Column('text', { array: true, default: () => "'{}'" })
  readonly amr!: readonly string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'write_asked_at', nullable: true })
  readonly writeAskedAt!: Date | null;

  @Column('boolean', { name: 'manages_keys', default: false })
  readonly managesKeys!: boolean;

  @Column('boolean', { name: 'manages_callbacks', default: false })
  readonly managesCallbacks!: boolean;

  /** The budgets that the app asked for, as granted; null if it asked for none, or may not send. */
  @Column('jsonb', { name: 'authorization_details', nullable: true })
  readonly authorizationDetails!: readonly WalletBudget[] | null;

  @Column('timestamptz', { name: 'absolute_expires_at' })
  readonly absoluteExpiresAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  readonly lastUsedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  readonly revokedAt!: Date | null;

  @Column('text', { name: 'revoked_because', nullable: true })
  readonly revokedBecause!: string | null;
}
