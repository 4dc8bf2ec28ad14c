import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to an address that a test cuts and mends. */
export class Wire {
  private readonly sockets = new Set<Socket>();
  private readonly far = new Set<Socket>();
  private port = 0;
  private server: Server | undefined;

  constructor(private readonly to: { readonly host: string; readonly port: number }) {}

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Listens, on the port that it had before. */
  async mend(): Promise<void> {
    this.server = createServer((near) => {
      const far = connect(this.to.port, this.to.host);
      this.far.add(far.on('close', () => this.far.delete(far)));
      for (const [from, into] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(from);
        from.on('error', () => undefined);
        from.on('close', () => (this.sockets.delete(from), into.destroy()));
        from.pipe(into);
      }
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** What is asked arrives, and no answer comes back, by the connections of this moment. */
  loseAnswers(): void {
    this.far.forEach((socket) => socket.unpipe().resume());
  }

  cut(): void {
    this.server?.close();
    this.sockets.forEach((socket) => socket.destroy());
  }
}
