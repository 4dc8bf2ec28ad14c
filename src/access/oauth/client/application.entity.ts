import { Column, Entity, PrimaryColumn } from 'typeorm';

export type ApplicationState = 'draft' | 'waiting' | 'approved' | 'refused';

/** What an application says of its app, and what its approved version says. */
export abstract class AppEntity {
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

  /** It can keep a secret; a public client proves itself by PKCE alone. */
  @Column('boolean')
  readonly confidential!: boolean;
}

/** What a developer wants of an app. The row of `oauth_client` with the same id is the version that the operator has approved. */
@Entity('oauth_application')
export class ApplicationEntity extends AppEntity {
  @PrimaryColumn('text')
  readonly id!: string;

  /** Null: the operator. */
  @Column('uuid', { name: 'owner_id', nullable: true })
  readonly ownerId!: string | null;

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
