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
