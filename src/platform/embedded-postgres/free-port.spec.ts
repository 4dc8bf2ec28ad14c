import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from './embedded-postgres.js';

it('a free port is none of those that systems take for outgoing connections, and a server can listen on it', async () => {
  for (let n = 0; n < 20; n++) {
    const port = await freePort();
    expect(port).toBeGreaterThan(1_023);
    expect(port).toBeLessThan(32_768);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  }
});
