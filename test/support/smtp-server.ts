import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly data: string;
}

/** A mail server that keeps what it receives. The answers to `DATA` begin with those of `refusals`. */
export async function startSmtpServer(refusals: string[]): Promise<{ url: string; mails: ReceivedMail[]; close: () => void }> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).setEncoding('utf8');
    serve(socket, refusals, mails);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, mails, close };
}

function serve(socket: Socket, refusals: string[], mails: ReceivedMail[]): void {
  let [buffer, from, isData] = ['', '', false];
  let to: string[] = [];
  const say = (line: string): boolean => socket.write(`${line}\r\n`);
  const hear = (line: string): void => {
    if (/^(EHLO|HELO)/i.test(line)) return void say('250 test');
    if (/^MAIL FROM/i.test(line)) [from, to] = [line.slice(10), []];
    if (/^RCPT TO/i.test(line)) to.push(line.slice(8));
    if (/^DATA/i.test(line)) {
      isData = true;
      return void say('354 send it');
    }
    say(/^QUIT/i.test(line) ? '221 bye' : '250 ok');
  };
  say('220 test');
  socket.on('data', (chunk: string) => {
    buffer += chunk;
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n';
      const at = buffer.indexOf(end);
      if (at < 0) return;
      const piece = buffer.slice(0, at);
      buffer = buffer.slice(at + end.length);
      if (!isData) hear(piece);
      else {
        isData = false;
        const refusal = refusals.shift();
        if (refusal === undefined) mails.push({ from, to, data: piece });
        say(refusal ?? '250 queued');
      }
    }
  });
}
