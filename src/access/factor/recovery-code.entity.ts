import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { UserEntity } from '../user/index.js';

/** A code that replaces a lost factor once: its use deletes it. */
@Entity('user_recovery_code')
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'user_recovery_code_pk' })
  @ForeignKey(() => UserEntity, { name: 'user_recovery_code_user_fk', onDelete: 'CASCADE' })
  readonly userId!: string;

  /** SHA-256: a code has 80 random bits. */
  @PrimaryColumn('bytea', { name: 'code_hash', primaryKeyConstraintName: 'user_recovery_code_pk' })
  readonly codeHash!: Buffer;
}
