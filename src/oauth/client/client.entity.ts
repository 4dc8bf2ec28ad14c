import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

export type ClientState = 'pending' | 'approved' | 'suspended';

/** An app that may ask people for access. */
@Entity('oauth_client')
@Check('oauth_client_id_shape', `id ~ '^[A-Za-z0-9_-]{1,64}$'`)
@Check('oauth_client_state_known', `state IN ('pending', 'approved', 'suspended')`)
@Check('oauth_client_public_pkce', 'confidential OR require_pkce')
export class ClientEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_client_pk' })
  readonly id!: string;

  @Column('text')
  readonly name!: string;

  /** It can keep a secret; a public client proves itself by PKCE alone. */
  @Column('boolean')
  readonly confidential!: boolean;

  @Column('text', { name: 'redirect_uris', array: true })
  readonly redirectUris!: readonly string[];

  /** All it may request. */
  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  @Column('text', { name: 'grant_types', array: true })
  readonly grantTypes!: readonly string[];

  @Column('boolean', { name: 'require_pkce', default: true })
  readonly requirePkce!: boolean;

  /** The operator has checked who runs it. */
  @Column('boolean', { default: false })
  readonly verified!: boolean;

  /** A first-party app that may create and revoke API keys. */
  @Column('boolean', { default: false })
  readonly trusted!: boolean;

  /** Its registered home page, for people whose request ended. */
  @Column('text', { nullable: true })
  readonly homepage!: string | null;

  @Column('text', { default: 'pending' })
  readonly state!: ClientState;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;
}
