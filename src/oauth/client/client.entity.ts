import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

export type ClientState = 'pending' | 'approved' | 'suspended';

/** An app that may ask people for access. TypeORM knows the table for its migrations; client.service.ts reads and writes the rows. */
@Entity('oauth_client')
@Check('oauth_client_id_shape', `id ~ '^[A-Za-z0-9_-]{1,64}$'`)
@Check('oauth_client_state_known', `state IN ('pending', 'approved', 'suspended')`)
@Check('oauth_client_public_pkce', 'confidential OR require_pkce')
export class ClientEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_client_pk' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('boolean')
  confidential!: boolean;

  @Column('text', { name: 'redirect_uris', array: true })
  redirectUris!: string[];

  @Column('text', { array: true })
  scopes!: string[];

  @Column('text', { name: 'grant_types', array: true })
  grantTypes!: string[];

  @Column('boolean', { name: 'require_pkce', default: true })
  requirePkce!: boolean;

  @Column('boolean', { default: false })
  verified!: boolean;

  @Column('boolean', { default: false })
  trusted!: boolean;

  @Column('text', { nullable: true })
  homepage!: string | null;

  @Column('text', { default: 'pending' })
  state!: ClientState;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
