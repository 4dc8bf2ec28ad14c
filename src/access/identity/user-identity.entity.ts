import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { UserEntity } from '../user/index.js';

/** Who a person is at the company's identity provider: one identity of each issuer. */
@Entity('user_identity')
@Unique('user_identity_once', ['userId', 'issuer'])
export class UserIdentityEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'user_identity_pk' })
  readonly issuer!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'user_identity_pk' })
  readonly subject!: string;

  @ForeignKey(() => UserEntity, { name: 'user_identity_user_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  /** The last sign-in through the provider. */
  @Column('timestamptz', { name: 'proved_at', default: () => 'now()' })
  readonly provedAt!: Date;

  /** When the organisation has removed the person; null: they have signed in since. */
  @Column('timestamptz', { name: 'removed_at', nullable: true })
  readonly removedAt!: Date | null;
}
