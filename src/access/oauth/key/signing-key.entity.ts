import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that signs ID tokens. Published before it signs, and until everything it signed has expired. */
@Entity('signing_key')
export class SigningKeyEntity {
  @PrimaryColumn('text')
  readonly kid!: string;

  @Column('jsonb', { name: 'public_jwk' })
  readonly publicJwk!: JWK;

  @Column('bytea', { name: 'private_box' })
  readonly privateBox!: Buffer;

  @Column('timestamptz', { name: 'signs_from' })
  readonly signsFrom!: Date;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;
}
