import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that signs ID tokens. Published before it signs, and until everything it signed has expired. */
@Entity('signing_key')
export class SigningKeyEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'signing_key_pk' })
  kid!: string;

  @Column('jsonb', { name: 'public_jwk' })
  publicJwk!: JWK;

  @Column('bytea', { name: 'private_box' })
  privateBox!: Buffer;

  @Column('timestamptz', { name: 'signs_from' })
  signsFrom!: Date;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
