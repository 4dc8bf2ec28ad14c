import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WalletBudget } from '../authorization-details.js';
import { AppEntity } from './application.entity.js';

/** A secret of a client; two may be valid at once, so that a client can rotate them without an outage. */
@Entity('oauth_client_secret')
export class ClientSecretEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

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

/** Algorithms of ID tokens: the operator chooses one for each client. */
export const ID_TOKEN_ALGS = ['RS256', 'ES256', 'EdDSA'] as const;
export type IdTokenAlg = (typeof ID_TOKEN_ALGS)[number];

/** `pending`: registered by an earlier version, and not approved since. `test`: of an application that is not approved, for its owner alone. */
export type ClientState = 'pending' | 'approved' | 'suspended' | 'test';

@Entity('oauth_client')
export class ClientEntity extends AppEntity {
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('boolean', { name: 'require_pkce', default: true })
  readonly requirePkce!: boolean;

  @Column('boolean', { default: false })
  readonly verified!: boolean;

  @Column('boolean', { default: false })
  readonly trusted!: boolean;

  @Column('text', { default: 'pending' })
  readonly state!: ClientState;

  /** What the operator sets beyond the application: see client-profile.ts. A public client has no method. */
  @Column('text', { name: 'auth_method', default: 'secret' })
  readonly authMethod!: 'secret' | 'private_key_jwt';

  @Column('jsonb', { nullable: true })
  readonly jwks!: { readonly keys: readonly object[] } | null;

  @Column('text', { name: 'jwks_uri', nullable: true })
  readonly jwksUri!: string | null;

  @Column('boolean', { name: 'require_par', default: false })
  readonly requirePar!: boolean;

  @Column('boolean', { name: 'require_dpop', default: false })
  readonly requireDpop!: boolean;

  @Column('text', { name: 'id_token_alg', default: 'RS256' })
  readonly idTokenAlg!: IdTokenAlg;

  @Column('text', { nullable: true })
  readonly resource!: string | null;

  @Column('text', { name: 'service_scopes', array: true, default: () => "'{}'" })
  readonly serviceScopes!: readonly string[];

  @Column('text', { name: 'post_logout_redirect_uris', array: true, default: () => "'{}'" })
  readonly postLogoutRedirectUris!: readonly string[];

  @Column('text', { name: 'backchannel_logout_uri', nullable: true })
  readonly backchannelLogoutUri!: string | null;

  @Column('jsonb', { name: 'authorization_details', default: () => "'[]'" })
  readonly authorizationDetails!: readonly WalletBudget[];

  /** The application that it tests. */
  @Column('text', { name: 'test_of', nullable: true })
  readonly testOf!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;
}
