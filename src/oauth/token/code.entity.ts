import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { GrantEntity } from '../grant/grant.entity.js';

/** An authorization code: redeemed once, within a minute, by the client it was issued to (RFC 6749 section 4.1.2). */
@Entity('oauth_code')
@Index('oauth_code_grant', ['grantId'])
@Index('oauth_code_expires', ['expiresAt'])
export class CodeEntity {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'oauth_code_pk' })
  hash!: Buffer;

  @ForeignKey(() => GrantEntity, { name: 'oauth_code_grant_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'grant_id' })
  grantId!: string;

  @Column('text', { name: 'client_id' })
  clientId!: string;

  @Column('text', { name: 'redirect_uri' })
  redirectUri!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('text', { name: 'code_challenge', nullable: true })
  codeChallenge!: string | null;

  @Column('text', { nullable: true })
  nonce!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
