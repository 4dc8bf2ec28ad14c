import { demoPerson } from '../support/demo-person.js';
import { post, type HttpAnswer } from '../support/http.js';
import { eventually } from '../../src/testing/eventually.js';
import { RawSocket } from '../support/raw-socket.js';
import { ServerProcess } from '../support/server-process.js';
import type { WalletClient } from '../support/wallet-client.js';

const BACK_WITHIN_MS = 240_000;
const ASKED = { query: '{ me { defaultAccount { wallets { balance } } } }' };

describe('kill -9 of PostgreSQL', () => {
  let server: ServerProcess;
  let alice: WalletClient;

  beforeAll(async () => {
    server = await ServerProcess.start();
    alice = demoPerson(server, 'alice');
  });
  afterAll(() => server?.close());

  const ask = (): Promise<HttpAnswer> => post(`${server.url}/graphql`, ASKED, alice.as('read'));
  const ready = async (): Promise<number> => (await fetch(`${server.url}/health/ready`)).status;

  /** The code with which the server closes a new socket with a good key; 0 when it is accepted. */
  async function closeCode(): Promise<number> {
    const socket = await RawSocket.open(server.url);
    socket.send({ type: 'connection_init', payload: alice.as('read') });
    const frame = await socket.next().catch(() => undefined);
    if (frame) await socket.leave();
    return frame ? 0 : (await socket.closed).code;
  }

  it('gives 503 and 1013 meanwhile, and PostgreSQL recovers', async () => {
    expect((await ask()).status).toBe(200);
    const answers: HttpAnswer[] = [];
    const codes: number[] = [];
    const seen = new Set<number>();
    const killedAt = Date.now();
    const isNotOver = (): boolean => answers.at(-1)?.status !== 200 || codes.at(-1) !== 0;
    const wereAllServed = (): boolean =>
      !seen.has(503) || codes.every((code) => code === 0) || answers.every(({ status }) => status === 200);
    // Requests that wait for PostgreSQL while it recovers may all be answered: then it is killed again.
    do {
      process.kill(server.databasePid, 'SIGKILL');
      do {
        const [answer, code, readiness] = await Promise.all([ask(), closeCode(), ready()]);
        answers.push(answer);
        codes.push(code);
        seen.add(readiness);
      } while (isNotOver() && Date.now() - killedAt < BACK_WITHIN_MS);
    } while (wereAllServed() && Date.now() - killedAt < BACK_WITHIN_MS);

    expect(answers.at(-1)).toMatchObject({
      status: 200,
      body: { data: { me: { defaultAccount: { wallets: [{ balance: 1_000_000 }, { balance: 0 }] } } } },
    });
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, body } of refused) {
      expect([status, body]).toMatchObject([503, { errors: [{ message: expect.any(String) as string }] }]);
      // A request that GraphQL was already processing has the error in GraphQL's format.
      if (body.error) expect(body.error).toEqual({ code: 503, status: 'Service Unavailable', message: expect.any(String) as string });
      else expect(body.errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (const { body } of answers.filter(({ status }) => status === 200)) expect(body.errors).toBeUndefined();
    expect(new Set(codes.filter((code) => code !== 0))).toEqual(new Set([1013]));
    await eventually(async () => (await ready()) === 200);
  });

  it('loses nothing, and money moves again', async () => {
    const bob = demoPerson(server, 'bob');
    expect(await bob.pay((await alice.invoice(50)).paymentRequest)).toMatchObject({ status: 'SUCCESS', errors: [] });
    expect([await alice.sats(), await bob.sats()]).toEqual([1_000_050, 999_950]);
    expect(await server.sluice('audit')).toMatch(/^Ledger OK /);
  });
});
