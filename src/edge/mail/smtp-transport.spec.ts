import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { SmtpTransport } from './smtp-transport.js';

const MESSAGE = { to: 'carol@example.test', subject: 'A subject', text: 'A line', html: '<p>A line</p>' };

describe('SmtpTransport', () => {
  it('ends a message at its signal, at a server that does not end its answer', async () => {
    const stopping = new AbortController();
    const closed: Promise<unknown>[] = [];
    const server = createServer((socket: Socket) => {
      closed.push(once(socket, 'close'));
      socket.write('220 test\r\n');
      socket
        .on('error', () => undefined)
        .on('data', (line) => {
          if (String(line).startsWith('EHLO')) return void socket.write('250 test\r\n');
          socket.write('250-wait\r\n');
          stopping.abort();
        });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(new SmtpTransport(url, 'pay@example.test').send(MESSAGE, stopping.signal)).rejects.toThrow('SMTP failed: EABORT');
    await Promise.all(closed);
    server.close();
  });
});
