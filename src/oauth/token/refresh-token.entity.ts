import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { GrantEntity } from '../grant/grant.entity.js';

/** A refresh token. Used ones stay until their family ends, so that a replay is detected. */
@Entity('oauth_refresh_token')
@Index('oauth_refresh_token_grant', ['grantId'])
@Index('oauth_refresh_token_replay', ['replayUntil'], { where: 'replay_blob IS NOT NULL' })
export class RefreshTokenEntity {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'oauth_refresh_token_pk' })
  hash!: Buffer;

  @ForeignKey(() => GrantEntity, { name: 'oauth_refresh_token_grant_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'grant_id' })
  grantId!: string;

  @Column('text', { name: 'client_id' })
  clientId!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  @Column('bytea', { name: 'successor_hash', nullable: true })
  successorHash!: Buffer | null;

  @Column('bytea', { name: 'successor_access_hash', nullable: true })
  successorAccessHash!: Buffer | null;

  @Column('bytea', { name: 'replay_blob', nullable: true })
  replayBlob!: Buffer | null;

  @Column('timestamptz', { name: 'replay_until', nullable: true })
  replayUntil!: Date | null;
}
