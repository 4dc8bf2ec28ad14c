// A keep-alive HTTP/1.1 connection with one request at a time: minimal work in the benchmark process, which shares the machine.
import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

export class HttpCaller {
  #socket;
  #received = Buffer.alloc(0);
  #waiting;

  constructor(socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('close', () => this.#fail(new Error('The server closed the connection')));
    socket.on('error', (error) => this.#fail(error));
  }

  static async open(port) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new HttpCaller(socket);
  }

  static openMany(port, count) {
    return Promise.all(Array.from({ length: count }, () => HttpCaller.open(port)));
  }

  /**
   * @param {string} head request line and headers, from `headOf`
   * @returns the body
   * @throws Error when the status is not 200
   */
  post(head, body) {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('The server closed the connection'));
      this.#waiting = { resolve, reject };
      this.#socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.#received.latin1Slice(0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? NaN);
    if (Number.isNaN(length)) return this.#fail(new Error(`An answer without a length: ${head}`));
    const from = end + HEAD_END.length;
    if (this.#received.length < from + length) return;
    const body = this.#received.utf8Slice(from, from + length);
    this.#received = this.#received.subarray(from + length);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (head.startsWith('HTTP/1.1 200')) waiting?.resolve(body);
    else waiting?.reject(new Error(`${head.slice(0, head.indexOf('\r\n'))}: ${body}`));
  }

  #fail(error) {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

/** The part of a request that is the same in each call. */
export function headOf(path, headers) {
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
}
