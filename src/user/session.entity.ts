import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** A session, in a browser or in a script. */
@Entity('session')
@Unique('session_token_hash_unique', ['tokenHash'])
@Check('session_purpose', `purpose IN ('page', 'api')`)
@Index('session_of_user', ['userId'])
export class SessionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'session_pk' })
  id!: string;

  @Column('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @ForeignKey(() => UserEntity, { name: 'session_user_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  purpose!: 'page' | 'api';

  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  @Column('text')
  address!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_seen_at', default: () => 'now()' })
  lastSeenAt!: Date;

  @Column('timestamptz', { name: 'auth_time', default: () => 'now()' })
  authTime!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}
