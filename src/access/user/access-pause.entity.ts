import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `owner`: the person; `operator`: of all people; `identity`: the person was removed at the provider of identities. */
export type PauseCause = 'owner' | 'operator' | 'identity';

/** API keys, apps and webhooks that are refused until they are resumed: one row for each cause. */
@Entity('access_pause')
export class AccessPauseEntity {
  /** The id of a user; `all`: every user. */
  @PrimaryColumn('text')
  readonly subject!: string;

  @PrimaryColumn('text')
  readonly cause!: PauseCause;

  @Column('timestamptz', { default: () => 'now()' })
  readonly since!: Date;
}
