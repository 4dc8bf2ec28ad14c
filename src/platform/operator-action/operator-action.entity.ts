import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The operators' log: what they have done, who, when and why. Append-only. */
@Entity('operator_action')
@Index('operator_action_subject', ['subject', 'id'])
export class OperatorActionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS', primaryKeyConstraintName: 'operator_action_pk' })
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
