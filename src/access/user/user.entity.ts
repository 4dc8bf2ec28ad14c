import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('app_user')
export class UserEntity {
  @PrimaryColumn('uuid')
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
