import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

@Entity('app_user')
@Unique('app_user_email_unique', ['email'])
@Unique('app_user_username_unique', ['username'])
@Check('app_user_email_lower', `email = lower(btrim(email) COLLATE "C")`)
@Check('app_user_username_shape', `username ~ '^[0-9a-z_]{3,50}$'`)
export class UserEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'app_user_pk' })
  readonly id!: string;

  @Column('text')
  readonly email!: string;

  @Column('text')
  readonly username!: string;

  @Column('text', { name: 'password_hash' })
  readonly passwordHash!: string;

  @Column('boolean', { name: 'is_operator', default: false })
  readonly isOperator!: boolean;

  /** BCP 47; empty for no choice. */
  @Column('text', { default: '' })
  readonly language!: string;

  @Column('timestamptz', { name: 'email_verified_at', nullable: true })
  readonly emailVerifiedAt!: Date | null;

  /** Null: they have the name that they registered with. */
  @Column('timestamptz', { name: 'username_changed_at', nullable: true })
  readonly usernameChangedAt!: Date | null;

  /** An operator has disabled the user: no sign-in, key or app acts for them. */
  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  readonly disabledAt!: Date | null;

  /** For a day after a reset of the password the account sends `resetLimitMsat` at most. */
  @Column('timestamptz', { name: 'reset_limit_until', nullable: true })
  readonly resetLimitUntil!: Date | null;

  @Column('bigint', { name: 'reset_limit_msat', nullable: true })
  readonly resetLimitMsat!: bigint | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;
}

/** A username that its owner has given up. It leads to them, and no other person can have it; `user_name.sql` writes it. */
@Entity('username_former')
export class UsernameFormerEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'username_former_pk' })
  readonly name!: string;

  /** Null: the account was deleted. */
  @ForeignKey(() => UserEntity, { name: 'username_former_user_fk', onDelete: 'SET NULL' })
  @Index('username_former_of_user')
  @Column('uuid', { name: 'user_id', nullable: true })
  readonly userId!: string | null;

  @Column('timestamptz', { name: 'ended_at', default: () => 'now()' })
  readonly endedAt!: Date;
}
