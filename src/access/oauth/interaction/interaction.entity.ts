import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthorizationRequest } from '../request/authorization-request.js';

@Entity('oauth_interaction')
export class InteractionEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('bytea', { name: 'challenge_hash' })
  readonly challengeHash!: Buffer;

  @Column('bytea', { name: 'binding_hash' })
  readonly bindingHash!: Buffer;

  @Column('text', { name: 'client_id' })
  readonly clientId!: string;

  @Column('jsonb')
  readonly request!: AuthorizationRequest;

  /** The session that may answer; null before a sign-in. */
  @Column('uuid', { name: 'session_id', nullable: true })
  readonly sessionId!: string | null;

  @Column('uuid', { name: 'user_id', nullable: true })
  readonly userId!: string | null;

  @Column('text', { default: 'open' })
  readonly state!: 'open' | 'allowed' | 'denied';

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;
}
