import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { UserEntity } from '../user/index.js';

/** A key by which a program acts for its owner. TypeORM knows the table for its migrations; statements read and write the rows. */
@Entity('api_key')
@Unique('api_key_hash_unique', ['keyHash'])
@Check('api_key_scopes_some', 'cardinality(scopes) > 0')
@Index('api_key_of_user', ['userId', 'createdAt'])
export class ApiKeyEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_key_pk' })
  id!: string;

  @ForeignKey(() => UserEntity, { name: 'api_key_user_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  name!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('bytea', { name: 'key_hash' })
  keyHash!: Buffer;

  @Column('text')
  hint!: string;

  @Column('text', { name: 'client_id', nullable: true })
  clientId!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('text', { name: 'last_used_address', nullable: true })
  lastUsedAddress!: string | null;

  @Column('timestamptz', { name: 'last_refused_at', nullable: true })
  lastRefusedAt!: Date | null;

  @Column('text', { name: 'last_refusal', nullable: true })
  lastRefusal!: string | null;
}
