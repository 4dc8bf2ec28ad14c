import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** A person. TypeORM knows the table for its migrations; rows are read and written by statements (user.service.ts). */
@Entity('app_user')
@Unique('app_user_email_unique', ['email'])
@Unique('app_user_username_unique', ['username'])
@Check('app_user_email_lower', `email = lower(btrim(email) COLLATE "C")`)
@Check('app_user_username_shape', `username ~ '^[0-9a-z_]{3,50}$'`)
export class UserEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'app_user_pk' })
  id!: string;

  @Column('text')
  email!: string;

  @Column('text')
  username!: string;

  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  @Column('boolean', { name: 'is_operator', default: false })
  isOperator!: boolean;

  @Column('text', { default: '' })
  language!: string;

  @Column('timestamptz', { name: 'email_verified_at', nullable: true })
  emailVerifiedAt!: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
