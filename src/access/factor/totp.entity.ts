import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../user/index.js';

/** A person's authenticator app. A row exists once a code has confirmed it. */
@Entity('user_totp')
export class TotpEntity {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'user_totp_pk' })
  @ForeignKey(() => UserEntity, { name: 'user_totp_user_fk', onDelete: 'CASCADE' })
  readonly userId!: string;

  /** Encrypted under SECRET_KEY. */
  @Column('bytea')
  readonly secret!: Buffer;

  /** The time step of the last accepted code: no code of this step or an earlier one is accepted again (RFC 6238 section 5.2). */
  @Column('bigint', { name: 'last_step' })
  readonly lastStep!: bigint;

  @Column('timestamptz', { name: 'confirmed_at', default: () => 'now()' })
  readonly confirmedAt!: Date;
}
