import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Audit log of what operators have done to money by hand: who, when and why. Append-only. */
@Entity('operator_action')
@Index('operator_action_subject', ['subject', 'id'])
export class OperatorActionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS', primaryKeyConstraintName: 'operator_action_pk' })
  id!: bigint;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;

  @Column('text')
  who!: string;

  @Column('text')
  action!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  because!: string;

  @Column('jsonb')
  details!: unknown;
}
