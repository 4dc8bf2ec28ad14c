import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person has one: a later one replaces it. */
@Entity('email_registration')
export class EmailRegistrationEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
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
