import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { NoticeDetails, NoticeKind } from './notice-texts.js';

/** Written by `notice_add` (notice.sql). */
@Entity('notice')
@Unique('notice_once', ['userId', 'key'])
@Index('notice_of_user', { synchronize: false })
export class NoticeEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notice_pk' })
  readonly id!: string;

  @ForeignKey('app_user', { name: 'notice_user_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  @Column('text')
  readonly kind!: NoticeKind;

  @Column('jsonb')
  readonly details!: NoticeDetails;

  /** A person has one notice with it. */
  @Column('text', { nullable: true })
  readonly key!: string | null;

  @Index('notice_by_time')
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  readonly at!: Date;

  @Column('boolean', { default: false })
  readonly mailed!: boolean;
}

@Entity('notice_choice')
export class NoticeChoiceEntity {
  @ForeignKey('app_user', { name: 'notice_choice_user_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'notice_choice_pk' })
  readonly userId!: string;

  /** The kinds of which the person wants no mail. */
  @Column('text', { array: true })
  readonly unmailed!: readonly NoticeKind[];
}
