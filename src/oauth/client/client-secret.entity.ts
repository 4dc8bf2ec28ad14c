import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { ClientEntity } from './client.entity.js';

/** A secret of a client; two may be valid at once, so that a client can rotate them without an outage. */
@Entity('oauth_client_secret')
@Unique('oauth_client_secret_hash_unique', ['secretHash'])
@Index('oauth_client_secret_client', ['clientId'])
export class ClientSecretEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_client_secret_pk' })
  readonly id!: string;

  @ForeignKey(() => ClientEntity, { name: 'oauth_client_secret_client_fk', onDelete: 'CASCADE' })
  @Column('text', { name: 'client_id' })
  readonly clientId!: string;

  @Column('bytea', { name: 'secret_hash' })
  readonly secretHash!: Buffer;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  readonly expiresAt!: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  readonly lastUsedAt!: Date | null;
}
