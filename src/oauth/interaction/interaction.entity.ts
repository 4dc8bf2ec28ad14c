import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { UserEntity } from '../../user/index.js';
import type { AuthorizationRequest } from '../authorize/authorization-request.js';
import { ClientEntity } from '../client/client.entity.js';

/** An authorization request that waits for a person to sign in or to decide. */
@Entity('oauth_interaction')
@Unique('oauth_interaction_challenge_unique', ['challengeHash'])
@Check('oauth_interaction_state_known', `state IN ('open', 'allowed', 'denied')`)
@Index('oauth_interaction_expires', ['expiresAt'])
@Index('oauth_interaction_client', ['clientId'])
@Index('oauth_interaction_user', ['userId'])
export class InteractionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_interaction_pk' })
  id!: string;

  @Column('bytea', { name: 'challenge_hash' })
  challengeHash!: Buffer;

  @Column('bytea', { name: 'binding_hash' })
  bindingHash!: Buffer;

  @ForeignKey(() => ClientEntity, { name: 'oauth_interaction_client_fk', onDelete: 'CASCADE' })
  @Column('text', { name: 'client_id' })
  clientId!: string;

  @Column('jsonb')
  request!: AuthorizationRequest;

  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;

  @ForeignKey(() => UserEntity, { name: 'oauth_interaction_user_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('text', { default: 'open' })
  state!: 'open' | 'allowed' | 'denied';

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
