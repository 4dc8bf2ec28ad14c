import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.js';

/** One refusal of a key. Its owner can see it. */
@Entity('api_key_refusal')
@Index('api_key_refusal_at', ['at'])
export class ApiKeyRefusalEntity {
  @ForeignKey(() => ApiKeyEntity, { name: 'api_key_refusal_key_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'api_key_id', primaryKeyConstraintName: 'api_key_refusal_pk' })
  apiKeyId!: string;

  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'api_key_refusal_pk' })
  at!: Date;

  @Column('text')
  cause!: string;

  @Column('text', { nullable: true })
  operation!: string | null;

  @Column('text', { nullable: true })
  address!: string | null;
}
