import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A passkey (WebAuthn credential) of a person. */
@Entity('user_passkey')
export class PasskeyEntity {
  /** The credential id that the authenticator chose, in base64url. */
  @PrimaryColumn('text')
  readonly id!: string;

  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  /** COSE. */
  @Column('bytea', { name: 'public_key' })
  readonly publicKey!: Buffer;

  /** The authenticator's counter of signatures; 0 for one that does not count. */
  @Column('bigint')
  readonly counter!: bigint;

  @Column('text', { array: true })
  readonly transports!: string[];

  @Column('text')
  readonly name!: string;

  /** When the last accepted challenge was made: no challenge of this time or an earlier one is accepted again. */
  @Column('timestamptz', { name: 'challenge_at' })
  readonly challengeAt!: Date;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  readonly lastUsedAt!: Date | null;
}
