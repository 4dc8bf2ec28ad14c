// Whether the time of an answer shows that an address has an account: known and unknown ones in turns, in one run.
import { randomUUID } from 'node:crypto';
import { URLSearchParams } from 'node:url';
import { connect, connectionOf } from '../harness/fixture.js';
import { median } from '../harness/rounds.js';
import { startServer, temporaryFolder } from '../harness/server.js';
import { hashToken, mintToken } from '../../dist/src/platform/kernel/token.js';

const WARM_UP = 20;
const ATTEMPTS_A_SECOND = 10;
const MOST = 200;
const PASSWORD = 'a password of the bench';

/** The fields and the cookie of a page with a form. */
async function openForm(url) {
  const response = await fetch(url);
  const csrf = /name="csrf" value="([^"]*)"/.exec(await response.text())?.[1] ?? '';
  return {
    csrf,
    cookie: response.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
  };
}

const form = async (url, status) => {
  const { csrf, cookie } = await openForm(url);
  const headers = { cookie, origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' };
  return async (fields) => {
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams({ csrf, ...fields }) });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 1_000)}`);
  };
};

async function signIn(url) {
  const headers = { 'content-type': 'application/json' };
  return async (email) => {
    const response = await fetch(`${url}/auth/login`, { method: 'POST', headers, body: JSON.stringify({ email, password: PASSWORD }) });
    await response.text();
    if (response.status !== 401) throw new Error(`The sign-in answered ${response.status}`);
  };
}

async function reset(url) {
  const post = await form(`${url}/forgot-password`, 200);
  return (email) => post({ email });
}

async function register(url, invitations) {
  const post = await form(`${url}/register`, 303);
  return (email) =>
    post({ email, username: `u${randomUUID().replaceAll('-', '')}`, password: PASSWORD, invitation: invitations?.pop() ?? '' });
}

/** @param {(email: string) => Promise<void>} ask */
async function compareAddresses(ask, known, plan) {
  const times = { known: [], unknown: [] };
  const count = Math.min(MOST, (plan.rounds * plan.sliceMs * ATTEMPTS_A_SECOND) / 1_000);
  for (let attempt = -WARM_UP; attempt < count; attempt++) {
    const addresses = { known: known(attempt + WARM_UP), unknown: `${randomUUID()}@example.test` };
    // Each comes first as often as second.
    for (const side of attempt % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known']) {
      const began = performance.now();
      await ask(addresses[side]);
      if (attempt >= 0) times[side].push(performance.now() - began);
    }
  }
  const [ours, reference] = [median(times.known), median(times.unknown)];
  return { ours: { value: ours, cpu: null }, reference: { value: reference, cpu: null }, verdict: Math.abs(ours - reference), range: null };
}

const benchmark = (name, title, run) => ({
  name: `known-address-${name}`,
  title: `${title}, an address with an account, median`,
  reference: 'one without',
  unit: 'ms',
  target: { atMost: 5, difference: true },
  run,
});
/** People of the fixture have no password, so they cannot sign in, and few messages go to one address. */
const ofPeople = (attempt) => `bench${attempt + 1}@example.test`;
const ofDemo = async (client) => {
  const { rows } = await client.query("SELECT email FROM app_user WHERE email NOT LIKE 'bench%' LIMIT 1");
  return () => rows[0].email;
};

const onStage =
  (open, known) =>
  async ({ server, client, plan }) =>
    compareAddresses(await open(`http://127.0.0.1:${server.port}`), known ? await known(client) : ofPeople, plan);

/** A server of its own, where people register by invitation. */
async function byInvitation({ plan }) {
  const { dataDir, remove } = temporaryFolder();
  const server = await startServer({ dataDir, env: { REGISTRATION: 'invite' } });
  const client = await connect(await connectionOf(dataDir));
  try {
    const codes = Array.from({ length: 2 * (MOST + WARM_UP) }, () => mintToken('sluice_in'));
    await client.query(
      `INSERT INTO invitation (id, code_hash, note, expires_at)
       SELECT gen_random_uuid(), h, 'bench', now() + interval '1 day' FROM unnest($1::bytea[]) AS x(h)`,
      [codes.map(hashToken)],
    );
    return await compareAddresses(await register(`http://127.0.0.1:${server.port}`, codes), await ofDemo(client), plan);
  } finally {
    await client.end();
    await server.stop();
    remove();
  }
}

export const knownAddresses = [
  benchmark('sign-in', 'sign-in with a wrong password', onStage(signIn, ofDemo)),
  benchmark('reset', 'asking for a reset of the password', onStage(reset)),
  benchmark('registration', 'registration', onStage(register)),
  benchmark('invitation', 'registration by invitation', byInvitation),
];
