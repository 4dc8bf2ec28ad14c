import { status } from '@grpc/grpc-js';
import { dataOf, eventually, TestUser } from '../../src/testing/index.js';
import { lndEnvironment } from '../lightning/lnd/lnd-environment.js';
import { CERTIFICATE, LndDouble, MACAROON, OTHER_CERTIFICATE } from '../lightning/lnd/lnd-double.js';
import { createTestApp, type TestApp } from '../support/app.js';

const SATS = 1_000n;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { done: lnInvoicePaymentSend(input: $input) { status errors { code } } }`;
const CREATE = `mutation ($input: LnInvoiceCreateInput!) { done: lnInvoiceCreate(input: $input) { errors { code } } }`;
const LOCKED = LndDouble.refusal(status.UNKNOWN, 'wallet locked, unlock it to enable full RPC access');
const OTHER_MACAROON = 'cd'.repeat(40);

interface Ready {
  readonly status: number;
  readonly waitingFor?: readonly string[];
  readonly degraded?: readonly string[];
}

async function readinessOf(app: TestApp): Promise<Ready> {
  const answer = await fetch(`${app.url}/health/ready`);
  return { ...((await answer.json()) as object), status: answer.status };
}

const says = (app: TestApp, words: string): boolean =>
  app.logs.some((line) => line.includes('lightning_node_unusable') && line.includes(words));

async function startedNode(change: (node: LndDouble) => void): Promise<LndDouble> {
  const node = new LndDouble();
  change(node);
  await node.start();
  return node;
}

describe('a start beside an LND node that cannot be used', () => {
  const CASES: readonly [string, (node: LndDouble) => void, string][] = [
    ['with another certificate', (node) => (node.certificate = OTHER_CERTIFICATE), 'its certificate is not the one in LND_TLS_CERT'],
    ['whose wallet is locked', (node) => (node.refusal = LOCKED), 'its wallet is locked: unlock it with'],
  ];

  it.each(CASES)('%s says so, is not ready, and reads', async (_what, change, words) => {
    const node = await startedNode(change);
    const env = await lndEnvironment({ address: node.address, certificate: CERTIFICATE, macaroon: MACAROON });
    const app = await createTestApp({ env });
    try {
      await eventually(() => says(app, words));
      expect(await readinessOf(app)).toMatchObject({ status: 503, waitingFor: ['lightning'] });
      expect(await dataOf(app.url, '{ usernameAvailable(username: "free_name") }')).toEqual({ usernameAvailable: true });
      node.refusal = undefined;
      if (node.certificate === CERTIFICATE) await eventually(async () => (await readinessOf(app)).status === 200);
    } finally {
      await app.close();
      node.stop();
    }
  });
});

describe('an LND node that cannot be used any more', () => {
  let node: LndDouble;
  let app: TestApp;
  let alice: TestUser;
  beforeAll(async () => {
    node = await startedNode(() => undefined);
    const env = await lndEnvironment({ address: node.address, certificate: CERTIFICATE, macaroon: MACAROON });
    const quick = { PAYMENT_WAIT_SECONDS: '1', RECONCILE_AFTER_SECONDS: '0', LIGHTNING_CALL_SECONDS: '2' };
    app = await createTestApp({ env: { ...env, ...quick }, payFromOutside: async (_app, request) => node.payFromOutside(request) });
    alice = await TestUser.create(app, { sats: 10_000 });
  });
  afterEach(async () => expect(await app.audit()).toEqual([]));
  afterAll(async () => {
    await app.close();
    node.stop();
  });

  const isDegraded = async (): Promise<boolean> => (await readinessOf(app)).degraded?.includes('lightning') === true;
  const send = async (paymentRequest: string): Promise<unknown> =>
    (await dataOf(app.url, PAY, { input: { walletId: alice.wallets.BTC, paymentRequest } }, await alice.key('write')))['done'];
  const create = async (): Promise<unknown> =>
    (await dataOf(app.url, CREATE, { input: { walletId: alice.wallets.BTC, amount: 5 } }, await alice.key('receive')))['done'];

  const CASES: readonly [string, () => void, () => void | Promise<void>, string][] = [
    [
      'does not know the macaroon',
      () => (node.macaroon = OTHER_MACAROON),
      () => void (node.macaroon = MACAROON),
      'it does not accept LND_MACAROON',
    ],
    ['has a locked wallet', () => (node.refusal = LOCKED), () => (node.refusal = undefined), 'its wallet is locked'],
    ['is behind the chain', () => (node.isSynced = false), () => void (node.isSynced = true), 'it is not synced to the chain'],
    ['is gone', () => node.stop(), () => node.start(), 'it does not answer'],
  ];

  it.each(CASES)('because it %s: sends are refused, reads continue, nothing is lost', async (_what, spoil, repair, words) => {
    const before = await alice.sats();
    const paymentRequest = node.invoiceOfOther(100n * SATS);
    spoil();
    await eventually(isDegraded);
    expect(says(app, words)).toBe(true);
    expect(await readinessOf(app)).toMatchObject({ status: 200 });
    expect(await send(paymentRequest)).toEqual({ status: 'FAILURE', errors: [{ code: 'LIGHTNING_PAYMENT_ERROR' }] });
    if (words !== 'it is not synced to the chain') expect(await create()).toEqual({ errors: [{ code: 'LND_OFFLINE' }] });
    expect(await alice.sats()).toBe(before);
    await repair();
    await eventually(async () => !(await isDegraded()));
    expect(await send(paymentRequest)).toEqual({ status: 'SUCCESS', errors: [] });
    expect(await alice.sats()).toBe(before - 101);
  });

  it('for want of liquidity: the send is refused, its money is free again', async () => {
    const before = await alice.sats();
    expect(await send(node.invoiceOfOther(100n * SATS, 'no_balance'))).toEqual({
      status: 'FAILURE',
      errors: [{ code: 'ROUTE_FINDING_ERROR' }],
    });
    expect(await alice.sats()).toBe(before);
  });
});
