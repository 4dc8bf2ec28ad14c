import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { AdvisoryLock, DATABASE_OPTIONS, discardClient, sql, type DatabaseOptions } from '../database/index.js';
import { Log, LogInterval } from '../logging/index.js';
import { Loops, type Loop, type LoopOptions } from '../loop/index.js';
import { Metrics } from '../metrics/index.js';
import { ConnectionBudget } from './connection-budget.js';
import { Leadership } from './leadership.js';

const ASK_EVERY_MS = 1_000;
const ANSWER_MS = 3_000;
const REPORT_EVERY_MS = 60_000;
/** Without an answer for this long, a process works as if it led: several leaders do no harm, none would. */
const ALONE_MS = 30_000;
/** A process that stands still stops asking: then the server ends its session, and with it its locks. */
const SESSION = `SET idle_session_timeout = '15s'; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 2`;

/** Asked for the roles whose lock this session does not hold. Sluices in different schemas of a database have leaders of their own. */
const ASK = sql`
  SELECT r.role, pg_try_advisory_lock(${AdvisoryLock.leaders}, hashtext(current_schema() || ' ' || r.role)) AS leads FROM unnest($1::text[]) AS r(role)`;
const GIVE = sql`SELECT pg_advisory_unlock(${AdvisoryLock.leaders}, hashtext(current_schema() || ' ' || r.role)) FROM unnest($1::text[]) AS r(role)`;

/**
 * Lets one of the processes on a database do what would be wasted work in each. It is economy only: what runs here has to be correct while
 * several processes lead. A leader is replaced as soon as PostgreSQL ends its session. One that has lost its session still leads until it
 * hears that another does. One whose round has failed offers its role to the others, which may reach what it does not, and leads meanwhile.
 */
@Injectable()
export class Leaders implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log('Leaders');
  private readonly roles = new Map<string, Leadership>();
  private readonly election: Loop;
  private session: pg.Client | undefined;
  /** The roles whose lock the present session holds. */
  private held = new Set<string>();
  private readonly offered = new Set<string>();
  private readonly reports = new LogInterval(REPORT_EVERY_MS);
  private answeredAt = performance.now();

  constructor(
    @Inject(DATABASE_OPTIONS) private readonly database: DatabaseOptions,
    private readonly budget: ConnectionBudget,
    private readonly loops: Loops,
    metrics: Metrics,
  ) {
    this.election = loops.create({
      name: 'leader_election',
      pauseMs: ASK_EVERY_MS,
      round: () => this.elect(),
      onFailure: ({ message }) =>
        this.log.warn('job_leader_election_unavailable', {}, `The database does not say which process leads: ${message}`),
    });
    metrics.labelledGauge('sluice_leader', 'Roles that one process at a time has: 1 while this process leads, else 0', 'role', () =>
      Object.fromEntries([...this.roles.values()].map(({ role, signal }) => [role, signal ? 1 : 0])),
    );
  }

  /** A loop whose rounds run while this process leads in `role`; several loops may share one. The signal of a round ends with the term too. */
  loop({ role, ...options }: LoopOptions & { readonly role: string }): Loop {
    const leadership = this.roleOf(role);
    const loop = this.loops.create({
      ...options,
      round: async (signal) => {
        const term = leadership.signal;
        if (!term) return;
        try {
          await options.round(AbortSignal.any([signal, term]));
        } catch (error) {
          this.offered.add(role);
          throw error;
        }
      },
    });
    leadership.onBegin(() => loop.wake());
    return loop;
  }

  onApplicationBootstrap(): void {
    this.election.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.election.stop();
    this.drop();
  }

  private roleOf(role: string): Leadership {
    const report = (leads: boolean): void => {
      if (this.reports.isOver(`${role} ${String(leads)}`))
        this.log.info(
          leads ? 'job_leader_began' : 'job_leader_ended',
          { role },
          `This process ${leads ? 'leads' : 'no longer leads'}: ${role}`,
        );
    };
    const leadership = this.roles.get(role) ?? new Leadership(role, report);
    this.roles.set(role, leadership);
    return leadership;
  }

  private async elect(): Promise<void> {
    try {
      await this.ask((this.session ??= await this.open()));
      this.answeredAt = performance.now();
    } catch (error) {
      this.drop();
      if (performance.now() - this.answeredAt > ALONE_MS) for (const role of this.roles.values()) role.set(true);
      throw error;
    }
  }

  private async ask(session: pg.Client): Promise<void> {
    const offered = [...this.offered].filter((role) => this.held.delete(role));
    this.offered.clear();
    if (offered.length > 0) await session.query(GIVE.text, [offered]);
    // The others get a turn before this process asks again. Without roles to ask for, the question keeps the session.
    const wanted = [...this.roles.keys()].filter((role) => !this.held.has(role) && !offered.includes(role));
    const { rows } = await session.query<{ role: string; leads: boolean }>(ASK.text, [wanted]);
    for (const { role, leads } of rows) {
      if (leads) this.held.add(role);
      this.roles.get(role)?.set(leads);
    }
  }

  private async open(): Promise<pg.Client> {
    const { directConnection, connection } = this.database;
    const client = new pg.Client({
      ...(directConnection ?? connection),
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    // The next question reports a lost connection.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(SESSION);
      await this.budget.report(client);
      return client;
    } catch (error) {
      discardClient(client);
      throw error;
    }
  }

  private drop(): void {
    if (this.session) discardClient(this.session);
    this.session = undefined;
    this.held = new Set();
  }
}
