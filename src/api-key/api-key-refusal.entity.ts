import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';

/** One refusal of a key. Its owner can see it. */
@Entity('api_key_refusal')
@Index('api_key_refusal_at', ['at'])
export class ApiKeyRefusalEntity {
  @ForeignKey(() => ApiKeyEntity, { name: 'api_key_refusal_key_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'api_key_id', primaryKeyConstraintName: 'api_key_refusal_pk' })
  readonly apiKeyId!: string;

  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'api_key_refusal_pk' })
  readonly at!: Date;

  /** See `RefusedBecause`. */
  @Column('text')
  readonly cause!: string;

  /** The requested root field, or method and path; null where the key itself was no longer valid. */
  @Column('text', { nullable: true })
  readonly operation!: string | null;

  @Column('text', { nullable: true })
  readonly address!: string | null;
}
