import { Injectable } from '@nestjs/common';
import { Authenticator, AuthenticationError, CallLimits } from '../auth/index.js';
import { CloseCode } from '../http/index.js';
import { closeConnection, type SocketConnection, ConnectionRegistry } from './connection-registry.js';

@Injectable()
export class ConnectionAuthenticator {
  constructor(
    private readonly authenticator: Authenticator,
    readonly limits: CallLimits,
    private readonly registry: ConnectionRegistry,
  ) {}

  async admit(connection: SocketConnection): Promise<boolean> {
    try {
      return await this.check(connection);
    } finally {
      // graphql-ws keeps the payload of `connection_init` for as long as the socket is open, and it may contain anything.
      Reflect.deleteProperty(connection, 'connectionParams');
    }
  }

  /** Headers of the upgrade are ignored: browsers cannot set them, so no client should depend on them. */
  private async check(connection: SocketConnection): Promise<boolean> {
    const { extra, connectionParams } = connection;
    try {
      extra.principal = await this.authenticator.identify(connectionParams ?? {}, extra.request, extra.address);
    } catch (error) {
      const { closeCode, message } = error instanceof AuthenticationError ? error : new AuthenticationError('credentialsUnknowable');
      return closeConnection(connection, closeCode, message);
    }
    if (extra.socket.readyState !== extra.socket.OPEN) return false; // closed meanwhile: onClose has run, so never register it
    const { principal } = extra;
    if (principal.kind === 'anonymous') extra.hint = this.hintFor(connection);
    if (!this.limits.countCall(principal)) return closeConnection(connection, CloseCode.tooManyRequests, 'Too many requests');
    return this.registry.admit(connection, principal) || closeConnection(connection, CloseCode.tooManyRequests, 'Too many connections');
  }

  private hintFor({ connectionParams }: SocketConnection): string {
    const inPayload = this.authenticator.hintFor(connectionParams ?? {});
    return (
      inPayload ??
      'Send the credential in the payload of `connection_init`: `{ "X-API-KEY": "<key>" }`. Headers of the upgrade are not read.'
    );
  }
}
