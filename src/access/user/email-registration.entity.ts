import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** A person has one: a later one replaces it. */
@Entity('email_registration')
export class EmailRegistrationEntity {
  @ForeignKey(() => UserEntity, { name: 'email_registration_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'email_registration_pk' })
  readonly userId!: string;

  @Column('uuid')
  readonly id!: string;

  @Column('text')
  readonly address!: string;

  /** Of the registration and the code, under SECRET_KEY: a reader of the database cannot try all codes. */
  @Column('bytea', { name: 'code_mac' })
  readonly codeMac!: Buffer;

  @Column('integer', { default: 0 })
  readonly tries!: number;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;
}
