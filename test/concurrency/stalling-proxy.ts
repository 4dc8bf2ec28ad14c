import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

/** A network between an application and PostgreSQL that can stall: it carries nothing, and neither side is notified. */
export class StallingProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    private readonly database: pg.ClientConfig,
  ) {}

  static async start(database: pg.ClientConfig): Promise<StallingProxy> {
    const target = join(String(database.host), `.s.PGSQL.${database.port ?? 5432}`);
    const server = createServer();
    const proxy = new StallingProxy(server, database);
    server.on('connection', (near) => proxy.join(near, connect(target)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The connection to the database through this proxy. */
  get connection(): pg.ClientConfig {
    return { ...this.database, host: '127.0.0.1', port: (this.server.address() as AddressInfo).port };
  }

  get url(): string {
    const { user, password, host, port, database } = this.connection;
    const secret = typeof password === 'string' ? password : '';
    return `postgres://${user}:${encodeURIComponent(secret)}@${host}:${port}/${database}`;
  }

  /** Connections that are open now carry nothing any more, or statements but no answers; new ones carry both. */
  stall({ answersOnly = false } = {}): void {
    for (const [near, far] of this.pairs) {
      if (!answersOnly) near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Closes the open connections of the application; the server is not notified and continues with their statements. */
  cut(): void {
    for (const [near, far] of this.pairs) {
      near.unpipe(far);
      far.unpipe(near).resume();
      near.destroy();
    }
  }

  async close(): Promise<void> {
    for (const sockets of this.pairs) for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    this.pairs.add(pair);
    for (const socket of pair) socket.on('error', () => undefined);
    near.pipe(far);
    far.pipe(near);
  }
}
