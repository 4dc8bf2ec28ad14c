import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** `owner`: the person; `operator`: of all people; `identity`: the person was removed at the provider of identities. */
export type PauseCause = 'owner' | 'operator' | 'identity';

/** API keys, apps and webhooks that are refused until they are resumed: one row for each cause. */
@Entity('access_pause')
@Check('access_pause_cause_known', `cause IN ('owner', 'operator', 'identity')`)
export class AccessPauseEntity {
  /** The id of a user; `all`: every user. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'access_pause_pk' })
  readonly subject!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'access_pause_pk' })
  readonly cause!: PauseCause;

  @Column('timestamptz', { default: () => 'now()' })
  readonly since!: Date;
}
