import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { GrantEntity } from '../grant/grant.entity.js';

/** An access token. It is valid while its grant is, and while its client is approved. */
@Entity('oauth_access_token')
@Index('oauth_access_token_grant', ['grantId'])
@Index('oauth_access_token_expires', ['expiresAt'])
export class AccessTokenEntity {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'oauth_access_token_pk' })
  readonly hash!: Buffer;

  @ForeignKey(() => GrantEntity, { name: 'oauth_access_token_grant_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'grant_id' })
  readonly grantId!: string;

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;
}

/** A refresh token. Used ones stay until their family ends, so that a replay is detected. */
@Entity('oauth_refresh_token')
@Index('oauth_refresh_token_grant', ['grantId'])
@Index('oauth_refresh_token_replay', ['replayUntil'], { where: 'replay_blob IS NOT NULL' })
export class RefreshTokenEntity {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'oauth_refresh_token_pk' })
  readonly hash!: Buffer;

  @ForeignKey(() => GrantEntity, { name: 'oauth_refresh_token_grant_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'grant_id' })
  readonly grantId!: string;

  @Column('text', { name: 'client_id' })
  readonly clientId!: string;

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  readonly usedAt!: Date | null;

  @Column('bytea', { name: 'successor_hash', nullable: true })
  readonly successorHash!: Buffer | null;

  @Column('bytea', { name: 'successor_access_hash', nullable: true })
  readonly successorAccessHash!: Buffer | null;

  @Column('bytea', { name: 'replay_blob', nullable: true })
  readonly replayBlob!: Buffer | null;

  @Column('timestamptz', { name: 'replay_until', nullable: true })
  readonly replayUntil!: Date | null;
}
