import { int, Setting } from '../../platform/config/index.js';

export class SocketSettings {
  static readonly title = 'Sockets';

  @Setting('open sockets of one key, grant or session')
  @int(1, 1_000_000)
  SOCKETS_PER_PRINCIPAL = 100;

  @Setting('open sockets without a credential from one address; all addresses together have 1,000')
  @int(1, 1_000_000)
  SOCKETS_PER_ADDRESS = 20;

  @Setting('subscriptions on one socket; without a credential at most 5')
  @int(1, 10_000)
  SUBSCRIPTIONS_PER_SOCKET = 50;

  @Setting('longest message from a client')
  @int(1_024, 16_777_216)
  SOCKET_MESSAGE_BYTES = 16_384;

  /** Subscriptions of one key, grant or session, on all its sockets. */
  subscriptionsPerPrincipal = 500;
}
