import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { ApplicationEntity } from './application.entity.js';

/** A secret of a client; two may be valid at once, so that a client can rotate them without an outage. */
@Entity('oauth_client_secret')
@Unique('oauth_client_secret_hash_unique', ['secretHash'])
@Index('oauth_client_secret_client', ['clientId'])
export class ClientSecretEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_client_secret_pk' })
  readonly id!: string;

  @ForeignKey(() => ClientEntity, { name: 'oauth_client_secret_client_fk', onDelete: 'CASCADE' })
  @Column('text', { name: 'client_id' })
  readonly clientId!: string;

  @Column('bytea', { name: 'secret_hash' })
  readonly secretHash!: Buffer;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  readonly expiresAt!: Date | null;

  @Column('timestamptz', { name: 'first_used_at', nullable: true })
  readonly firstUsedAt!: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  readonly lastUsedAt!: Date | null;
}

/** `pending`: registered by an earlier version, and not approved since. `test`: of an application that is not approved, for its owner alone. */
export type ClientState = 'pending' | 'approved' | 'suspended' | 'test';

@Entity('oauth_client')
@Check('oauth_client_id_shape', `id ~ '^[A-Za-z0-9_-]{1,64}$'`)
@Check('oauth_client_state_known', `state IN ('pending', 'approved', 'suspended', 'test')`)
@Check('oauth_client_public_pkce', 'confidential OR require_pkce')
@Check('oauth_client_test', `(state = 'test') = (test_of IS NOT NULL)`)
@Unique('oauth_client_test_of_unique', ['testOf'])
export class ClientEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_client_pk' })
  readonly id!: string;

  @Column('text')
  readonly name!: string;

  @Column('text', { nullable: true })
  readonly purpose!: string | null;

  /** It can keep a secret; a public client proves itself by PKCE alone. */
  @Column('boolean')
  readonly confidential!: boolean;

  @Column('text', { name: 'redirect_uris', array: true })
  readonly redirectUris!: readonly string[];

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  @Column('text', { name: 'grant_types', array: true })
  readonly grantTypes!: readonly string[];

  @Column('boolean', { name: 'require_pkce', default: true })
  readonly requirePkce!: boolean;

  @Column('boolean', { default: false })
  readonly verified!: boolean;

  @Column('boolean', { default: false })
  readonly trusted!: boolean;

  @Column('text', { nullable: true })
  readonly homepage!: string | null;

  @Column('text', { default: 'pending' })
  readonly state!: ClientState;

  /** The application that it tests. */
  @ForeignKey(() => ApplicationEntity, { name: 'oauth_client_test_of_fk', onDelete: 'CASCADE' })
  @Column('text', { name: 'test_of', nullable: true })
  readonly testOf!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;
}
