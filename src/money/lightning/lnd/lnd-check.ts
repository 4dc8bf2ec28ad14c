import { coerce, gte } from 'semver';
import type { Network } from '../../../platform/config/index.js';
import type { LndAccess } from '../lnd.settings.js';
import { EXCESSIVE_RIGHT, LND_RIGHTS, type LndInfo } from './lnd-calls.js';
import { codeOf, LndConnection, problemOf, wordsOf } from './lnd-connection.js';
import type { LndRight } from './lnd-rights.js';
import { LND_WALLET_RIGHTS } from './lnd-wallet-calls.js';

export interface LndFinding {
  readonly name: 'reachable' | 'unlocked' | 'rights' | 'version' | 'network' | 'synced' | 'channels' | 'liquidity';
  readonly ok: boolean;
  readonly text: string;
}

const CALL_MS = 10_000;
const OLDEST = '0.18.5';
/** The first one that leases the inputs of a PSBT under an id of the caller. */
const OLDEST_ON_CHAIN = '0.19.0';
const ASKED = 'lnrpc.Lightning/CheckMacaroonPermissions';
/** The key that signed it was deleted (`lncli deletemacaroonid`), or this node never had it. */
const UNKNOWN_MACAROON = /root key|verification failed/i;

const STATES: Readonly<Record<string, string>> = {
  NON_EXISTING: 'It has no wallet yet: create one with "lncli create"',
  LOCKED: 'Its wallet is locked: unlock it with "lncli unlock"',
  UNLOCKED: 'Its wallet was unlocked, and it is starting: try again',
  WAITING_TO_START: 'It waits to become the leader of its cluster: use the address of the leader',
};

type Rights = readonly (readonly [string, LndRight])[];

const bakeLine = (rights: Rights): string =>
  `lncli bakemacaroon --save_to sluice.macaroon ${rights.map(([method]) => `uri:/${method}`).join(' ')}`;

/** Asks the node for everything that Sluice needs of it, its wallet with `onChain`. Nothing is changed at the node. Stops where nothing more can be asked. */
export async function checkLnd(access: LndAccess, network: Network, onChain: boolean): Promise<readonly LndFinding[]> {
  const connection = new LndConnection(access, CALL_MS);
  try {
    const rights = Object.entries({ ...LND_RIGHTS, ...(onChain && LND_WALLET_RIGHTS) });
    return await findings(connection, access, network, rights, onChain ? OLDEST_ON_CHAIN : OLDEST);
  } finally {
    connection.close();
  }
}

async function findings(
  connection: LndConnection,
  { address, macaroon }: LndAccess,
  network: Network,
  rights: Rights,
  oldest: string,
): Promise<LndFinding[]> {
  const found: LndFinding[] = [];
  const note = (name: LndFinding['name'], ok: boolean, text: string): boolean => {
    found.push({ name, ok, text });
    return ok;
  };
  try {
    const { state } = await connection.call('lnrpc.State/GetState', {});
    note('reachable', true, `LND answers at ${address}`);
    const problem = STATES[state];
    if (!note('unlocked', problem === undefined, problem ?? 'Its wallet is unlocked')) return found;
  } catch (error) {
    note('reachable', false, `LND does not answer at ${address}: ${reasonOf(error)}`);
    return found;
  }
  found.push(await rightsOf(connection, macaroon, rights));
  const info = await connection.call('lnrpc.Lightning/GetInfo', {}).catch(() => undefined);
  if (!info) return found;
  found.push(...ofInfo(info, network, oldest));
  found.push(await liquidityOf(connection));
  return found;
}

function reasonOf(error: unknown): string {
  const { kind, text } = problemOf(error);
  if (kind === 'unreachable') return wordsOf(error);
  return kind === 'other' ? `code ${codeOf(error)}: ${text}` : text;
}

/** LND judges the macaroon itself. A macaroon with more rights than Sluice needs works, so that is no fault. */
async function rightsOf(connection: LndConnection, macaroon: string, rights: Rights): Promise<LndFinding> {
  const ask = ([method, right]: readonly [string, LndRight]): Promise<{ valid: boolean }> =>
    connection.call(ASKED, { macaroon: Buffer.from(macaroon, 'hex'), fullMethod: `/${method}`, permissions: [right] });
  const permits = (each: readonly [string, LndRight]): Promise<boolean> =>
    ask(each).then(
      ({ valid }) => valid,
      () => false,
    );
  const refusal = await ask([ASKED, LND_RIGHTS[ASKED]]).then(() => '', wordsOf);
  if (UNKNOWN_MACAROON.test(refusal))
    return {
      name: 'rights',
      ok: false,
      text: `The macaroon was revoked, or is of another node (${refusal}). Make another: ${bakeLine(rights)}`,
    };
  const missing = await missingRights(permits, rights);
  if (missing.length > 0)
    return { name: 'rights', ok: false, text: `The macaroon lacks: ${missing.join(', ')}. Make another: ${bakeLine(rights)}` };
  const text = 'The macaroon has every right that Sluice needs';
  if (!(await permits(EXCESSIVE_RIGHT))) return { name: 'rights', ok: true, text };
  return {
    name: 'rights',
    ok: true,
    text: `${text}, and more: it could empty the node. Make one with the least rights: ${bakeLine(rights)}`,
  };
}

/** If the macaroon does not permit the question itself, that is the right which is missing. */
async function missingRights(permits: (each: Rights[number]) => Promise<boolean>, rights: Rights): Promise<string[]> {
  if (!(await permits([ASKED, LND_RIGHTS[ASKED]]))) return [`${ASKED} (its other rights cannot be asked about without it)`];
  const answers = await Promise.all(rights.map(async (each) => ((await permits(each)) ? [] : [each[0]])));
  return answers.flat();
}

function ofInfo(info: LndInfo, network: Network, oldest: string): LndFinding[] {
  const actual = info.chains[0]?.network ?? 'an unknown network';
  const channels = info.num_active_channels;
  return [
    {
      name: 'version',
      ok: gte(coerce(info.version) ?? '0.0.0', oldest),
      text: `LND ${info.version}; Sluice works with ${oldest} or newer`,
    },
    { name: 'network', ok: actual === network, text: `The node is on ${actual}, and NETWORK is ${network}` },
    {
      name: 'synced',
      ok: info.synced_to_chain,
      text: info.synced_to_chain ? 'It is synced to the chain' : 'It is not synced to the chain: wait until it is',
    },
    { name: 'channels', ok: channels > 0, text: channels > 0 ? `Active channels: ${channels}` : 'It has no active channel: open one' },
  ];
}

async function liquidityOf(connection: LndConnection): Promise<LndFinding> {
  try {
    const { local_balance: local, remote_balance: remote } = await connection.call('lnrpc.Lightning/ChannelBalance', {});
    const [send, receive] = [local, remote].map((amount) => BigInt(amount?.msat ?? 0) / 1_000n) as [bigint, bigint];
    const text = `It can send up to ${send} sats, and receive up to ${receive}`;
    if (send > 0n && receive > 0n) return { name: 'liquidity', ok: true, text };
    const missing =
      send === 0n ? 'sending needs a channel with a balance of its own' : 'receiving needs a channel with a balance of the other side';
    return { name: 'liquidity', ok: false, text: `${text}: ${missing}` };
  } catch (error) {
    return { name: 'liquidity', ok: false, text: `Its balances cannot be read: ${wordsOf(error)}` };
  }
}
