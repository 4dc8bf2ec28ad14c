import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../../user/index.js';

export type ApplicationState = 'draft' | 'waiting' | 'approved' | 'refused';

/** What a developer wants of an app. The row of `oauth_client` with the same id is the version that the operator has approved. */
@Entity('oauth_application')
@Check('oauth_application_id_shape', `id ~ '^[A-Za-z0-9_-]{1,64}$'`)
@Check('oauth_application_state_known', `state IN ('draft', 'waiting', 'approved', 'refused')`)
@Check('oauth_application_reason', `(state = 'refused') = (reason IS NOT NULL)`)
@Check('oauth_application_public_pkce', 'confidential OR require_pkce')
@Index('oauth_application_owner', ['ownerId'])
export class ApplicationEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_application_pk' })
  readonly id!: string;

  /** Null: the operator. */
  @ForeignKey(() => UserEntity, { name: 'oauth_application_owner_fk', onDelete: 'SET NULL' })
  @Column('uuid', { name: 'owner_id', nullable: true })
  readonly ownerId!: string | null;

  @Column('text')
  readonly name!: string;

  /** For the people who are asked; null where the operator gave none. */
  @Column('text', { nullable: true })
  readonly purpose!: string | null;

  @Column('text', { nullable: true })
  readonly homepage!: string | null;

  @Column('text', { name: 'redirect_uris', array: true })
  readonly redirectUris!: readonly string[];

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  @Column('text', { name: 'grant_types', array: true })
  readonly grantTypes!: readonly string[];

  @Column('boolean')
  readonly confidential!: boolean;

  @Column('boolean', { name: 'require_pkce' })
  readonly requirePkce!: boolean;

  @Column('text')
  readonly state!: ApplicationState;

  /** Grows with each change: an approval is of the version that the operator has seen. */
  @Column('integer', { default: 1 })
  readonly version!: number;

  /** Why it was refused. */
  @Column('text', { nullable: true })
  readonly reason!: string | null;

  @Column('timestamptz', { name: 'submitted_at', nullable: true })
  readonly submittedAt!: Date | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  readonly decidedAt!: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  readonly updatedAt!: Date;
}
