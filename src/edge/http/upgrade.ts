import { IncomingMessage } from 'node:http';

const SOCKETS = /^\/graphql\/?(?:\?|$)/;
const OFFERED = Symbol('an upgrade is offered');

interface Offering extends IncomingMessage {
  [OFFERED]?: boolean;
  upgrade: boolean;
}

/** The upgrades that Node may handle: to WebSocket, at /graphql, and the CONNECT method. */
const isKnown = ({ method, url = '', headers: { upgrade = '' } }: IncomingMessage): boolean =>
  method === 'CONNECT' || (upgrade.toLowerCase() === 'websocket' && SOCKETS.test(url));

/** The request offers an upgrade that the server does not take: it is answered as if it offered none (RFC 9110, 7.8). */
export const ignoresUpgrade = (request: IncomingMessage): boolean => (request as Offering)[OFFERED] === true && !isKnown(request);

/**
 * Once there is an `upgrade` listener, Node 20 passes it every request with `Upgrade`, by this property; `shouldUpgradeCallback` came with
 * Node 24.
 */
export class Request extends IncomingMessage {}
Object.defineProperty(Request.prototype, 'upgrade', {
  get(this: Offering): boolean {
    return this[OFFERED] === true && isKnown(this);
  },
  set(this: Offering, offered: unknown) {
    if (offered === true) this[OFFERED] = true;
  },
});
