import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NoticeDetails, NoticeKind } from './notice-texts.js';

/** Written by `notice_add` (notice.sql). */
@Entity('notice')
export class NoticeEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  @Column('text')
  readonly kind!: NoticeKind;

  @Column('jsonb')
  readonly details!: NoticeDetails;

  /** A person has one notice with it. */
  @Column('text', { nullable: true })
  readonly key!: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  readonly at!: Date;

  @Column('boolean', { default: false })
  readonly mailed!: boolean;
}

@Entity('notice_choice')
export class NoticeChoiceEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  readonly userId!: string;

  /** The kinds of which the person wants no mail. */
  @Column('text', { array: true })
  readonly unmailed!: readonly NoticeKind[];
}
