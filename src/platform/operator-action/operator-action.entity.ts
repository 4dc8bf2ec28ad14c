import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The operators' log: what they have done, who, when and why. Append-only. */
@Entity('operator_action')
export class OperatorActionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly id!: bigint;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  readonly at!: Date;

  @Column('text')
  readonly who!: string;

  @Column('text')
  readonly action!: string;

  @Column('text')
  readonly subject!: string;

  @Column('text')
  readonly because!: string;

  @Column('jsonb')
  readonly details!: unknown;
}
