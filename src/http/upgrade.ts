import { IncomingMessage } from 'node:http';

const SOCKETS = /^\/graphql\/?(?:\?|$)/;
const OFFERED = Symbol('an upgrade is offered');

interface Offering extends IncomingMessage {
  [OFFERED]?: boolean;
  upgrade: boolean;
}

/** The one upgrade that we know: to WebSocket, at the address of the sockets. */
const isKnown = ({ method, url = '', headers: { upgrade = '' } }: IncomingMessage): boolean =>
  method === 'CONNECT' || (upgrade.toLowerCase() === 'websocket' && SOCKETS.test(url));

/** An upgrade was offered and is not taken: the request is answered as if it were not there (RFC 9110, 7.8). */
export const ignoresUpgrade = (request: IncomingMessage): boolean => (request as Offering)[OFFERED] === true && !isKnown(request);

/**
 * Requests as our server reads them. Node 20 hands every request with `Upgrade` to the listener of upgrades, where there is one, before any
 * handler sees it (`shouldUpgradeCallback` came with Node 24). It asks this property whether the request is one.
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
