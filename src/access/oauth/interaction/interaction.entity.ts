import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { UserEntity } from '../../user/index.js';
import type { AuthorizationRequest } from '../request/authorization-request.js';
import { ClientEntity } from '../client/client.entity.js';

@Entity('oauth_interaction')
@Unique('oauth_interaction_challenge_unique', ['challengeHash'])
@Check('oauth_interaction_state_known', `state IN ('open', 'allowed', 'denied')`)
@Index('oauth_interaction_expires', ['expiresAt'])
@Index('oauth_interaction_client', ['clientId'])
@Index('oauth_interaction_user', ['userId'])
export class InteractionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_interaction_pk' })
  readonly id!: string;

  @Column('bytea', { name: 'challenge_hash' })
  readonly challengeHash!: Buffer;

  @Column('bytea', { name: 'binding_hash' })
  readonly bindingHash!: Buffer;

  @ForeignKey(() => ClientEntity, { name: 'oauth_interaction_client_fk', onDelete: 'CASCADE' })
  @Column('text', { name: 'client_id' })
  readonly clientId!: string;

  @Column('jsonb')
  readonly request!: AuthorizationRequest;

  /** The session that may answer; null before a sign-in. */
  @Column('uuid', { name: 'session_id', nullable: true })
  readonly sessionId!: string | null;

  @ForeignKey(() => UserEntity, { name: 'oauth_interaction_user_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id', nullable: true })
  readonly userId!: string | null;

  @Column('text', { default: 'open' })
  readonly state!: 'open' | 'allowed' | 'denied';

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;
}
