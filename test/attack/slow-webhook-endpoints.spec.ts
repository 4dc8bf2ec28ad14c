import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MAX_ENDPOINTS } from '../../src/webhook/webhook.service.js';
import { WebhookService } from '../../src/webhook/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { sent: intraLedgerPaymentSend(input: $input) { status } }`;
/** Their endpoints are more than a process makes attempts at once. */
const ATTACKERS = 7;

/** Endpoints answer as slowly as their owners like. */
describe('slow webhook endpoints', () => {
  let app: TestApp;
  let fixture: Fixture;
  let receiver: WebhookReceiver;
  let bob: Person;
  let attackers: Person[];
  const silent: Server[] = [];
  let [open, ended] = [0, 0];

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    receiver = await WebhookReceiver.start();
    bob = await fixture.user({ sats: 1_000 });
    attackers = await Promise.all(Array.from({ length: ATTACKERS }, () => fixture.user()));
  });
  afterAll(async () => {
    receiver.stop();
    for (const server of silent) {
      server.closeAllConnections();
      server.close();
    }
    await fixture.expectBalanced();
    await app.close();
  });

  /** A server that never answers. */
  async function silentServer(): Promise<string> {
    const server = createServer((_request, response) => {
      open++;
      response.on('close', () => ended++);
    }).listen(0, '127.0.0.1');
    silent.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  async function addEndpoint(person: Person, url: string): Promise<void> {
    expect(await app.get(WebhookService).add(person.accountId, url)).toMatchObject({ kind: 'added' });
  }
  async function payAs(payer: Person, to: Person): Promise<void> {
    const input = { walletId: payer.wallets.BTC, recipientWalletId: to.wallets.BTC, amount: 1 };
    expect((await dataOf(app.url, SEND, { input }, payer.as('write'))).sent).toEqual({ status: 'SUCCESS' });
  }

  it('of a few accounts hold up no delivery to another one', async () => {
    for (const attacker of attackers) {
      const url = await silentServer();
      for (let n = 0; n < MAX_ENDPOINTS; n++) await addEndpoint(attacker, `${url}/${n}`);
    }
    for (const attacker of attackers) await payAs(bob, attacker);
    await eventually(() => open >= 60);
    await addEndpoint(bob, receiver.url('/bob'));
    const [first] = attackers;
    if (first) await payAs(bob, first);
    await receiver.until(1, '/bob');
    // It was not the end of a slow attempt that made room.
    expect(ended).toBe(0);
    expect(open).toBeLessThan(64);
  });
});
