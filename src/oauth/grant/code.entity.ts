import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { GrantEntity } from './grant.entity.js';

/** An authorization code: redeemed once, within a minute, by the client it was issued to (RFC 6749 section 4.1.2). */
@Entity('oauth_code')
@Index('oauth_code_grant', ['grantId'])
@Index('oauth_code_expires', ['expiresAt'])
export class CodeEntity {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'oauth_code_pk' })
  readonly hash!: Buffer;

  @ForeignKey(() => GrantEntity, { name: 'oauth_code_grant_fk', onDelete: 'CASCADE' })
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

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  readonly usedAt!: Date | null;
}
