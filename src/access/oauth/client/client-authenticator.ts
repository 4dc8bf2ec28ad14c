import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../../platform/config/index.js';
import { Log, RefusalLog } from '../../../platform/logging/index.js';
import type { Form } from '../../../edge/page/index.js';
import { RateLimiter, setRateLimitHeaders, type PolicyName } from '../../../edge/rate-limit/index.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { ASSERTION_TYPE, claimedId, ClientAssertions } from './client-assertions.js';
import { parseBasic, BasicClientStrategy } from './basic-client.strategy.js';
import { isInUse, type Client } from './client.js';
import { ClientService } from './client.service.js';

interface ClientCredentials {
  readonly by: 'header' | 'body' | 'assertion' | 'nothing';
  readonly id: string;
  /** Or the assertion. */
  readonly secret: string;
}

const METHODS = {
  header: 'HTTP Basic',
  body: 'credentials in the body',
  assertion: 'a signed assertion',
  nothing: 'no credentials',
} as const;

/** The supported methods (OpenID Connect Core section 9); discovery lists them. */
export const CLIENT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;

/** Client authentication of the endpoints that clients themselves call (RFC 6749 sections 2.3 and 3.2.1). */
@Injectable()
export class ClientAuthenticator {
  private readonly log = new Log('OAuth');
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly basic: BasicClientStrategy,
    private readonly assertions: ClientAssertions,
    private readonly clients: ClientService,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /**
   * Verifies every client, however often it failed before: too many refused requests turn the next wrong one into 429, never a right one, so
   * that an attacker cannot lock a client out.
   * @param work for the client that was authenticated; its developer sees why it was refused
   * @throws OAuthError
   */
  async serve(request: FastifyRequest, form: Form, reply: FastifyReply, work: (client: Client) => Promise<void>): Promise<void> {
    const client = await this.authenticate(request, form, reply);
    try {
      await work(client);
    } catch (error) {
      this.clients.noteRefusal(client.id, request.routeOptions.url ?? '', error);
      throw error;
    }
  }

  private async authenticate(request: FastifyRequest, form: Form, reply: FastifyReply): Promise<Client> {
    const header = request.headers.authorization ?? '';
    const presented = header === '' ? credentialsOfBody(form) : credentialsOfHeader(header, form);
    const client = await this.verify(presented, header);
    if (client && typeof client !== 'string') return client;
    const clientId = presented.id.replace(/[^\w:/.-]/g, '').slice(0, 64) || 'no client id';
    this.report(clientId, presented.by, METHODS[presented.by]);
    await this.noteRefused(presented, request, client ?? undefined);
    await this.countRefused(presented.id, request.address, reply);
    throw this.refusal(presented.by);
  }

  /** @param fault of an assertion */
  private async noteRefused({ id, by }: ClientCredentials, request: FastifyRequest, fault?: string): Promise<void> {
    const client = await this.clients.find(id);
    if (!client) return;
    const known = fault === undefined ? 'client' : 'assertion';
    const cause = isInUse(client) ? known : client.state;
    const evidence = { cause, sent: fault ?? METHODS[by], registered: methodOf(client) };
    this.clients.noteRefusal(id, request.routeOptions.url ?? '', this.refusal(by).because(evidence));
  }

  /** One line a minute for each cause: anonymous callers decide how often this happens. */
  report(clientId: string, by: string, text = by): void {
    this.refusals.note(by, ({ requests }, others) =>
      this.log.warn('oauth_client_rejected', { clientId, by, requests }, `Client authentication failed: ${clientId}, ${text}${others}`),
    );
  }

  /** @returns why it is refused as a text, if that is known */
  private async verify({ by, id, secret }: ClientCredentials, header: string): Promise<Client | string | null> {
    if (by === 'assertion') return this.assertions.verify(id, secret);
    // Several spaces are valid (RFC 7235 section 2.1), but the package cannot read them.
    if (by === 'header' && secret !== '') return (await this.basic.identify(header.replace(/ +/, ' '))) || null;
    if (secret !== '') return (await this.clients.verify(id, secret)) || null;
    const client = await this.clients.find(id);
    return client && !client.confidential && isInUse(client) ? client : null;
  }

  private async countRefused(id: string, address: string, reply: FastifyReply): Promise<void> {
    const policies: [PolicyName, string][] = [['tokenAddress', address]];
    if (id !== '') policies.push(['tokenClient', id.slice(0, 64)]);
    for (const [policy, key] of policies) {
      const result = await this.limiter.consume(policy, key);
      setRateLimitHeaders(reply, result);
      if (result.isBlocked) throw new OAuthError('temporarily_unavailable', 'Too many failed attempts. Please try again later.', 429);
    }
  }

  /** RFC 6749 section 5.2: a client that used `Authorization`, or sent nothing, gets `WWW-Authenticate`. */
  private refusal(by: ClientCredentials['by']): OAuthError {
    const challenge = { 'www-authenticate': `Basic realm="${this.config.issuerUrl}", charset="UTF-8"` };
    return new OAuthError('invalid_client', 'Client authentication failed', 401, by === 'body' || by === 'assertion' ? {} : challenge);
  }
}

function credentialsOfHeader(header: string, form: Form): ClientCredentials {
  if (form.text('client_secret') !== '' || form.text('client_assertion') !== '') throw severalMethods();
  const credentials = parseBasic(header);
  if (!credentials) return { by: 'header', id: '', secret: '' };
  const named = form.text('client_id');
  if (named !== '' && named !== credentials.id) throw otherClient();
  return { by: 'header', ...credentials };
}

const otherClient = (): OAuthError => invalidRequest('client_id is not the client that authenticates');
const severalMethods = (): OAuthError => invalidRequest('Use only one method of client authentication');

function methodOf({ confidential, authMethod }: Client): string {
  if (!confidential) return 'client_id in the body, without a secret';
  return authMethod === 'secret' ? 'a secret that works, by HTTP Basic or in the body' : 'an assertion, signed with a registered key';
}

function credentialsOfBody(form: Form): ClientCredentials {
  const [id, secret, assertion] = [form.text('client_id'), form.text('client_secret'), form.text('client_assertion')];
  if (assertion !== '') {
    if (secret !== '') throw severalMethods();
    const readable = form.text('client_assertion_type') === ASSERTION_TYPE ? assertion : '';
    const claimed = claimedId(readable);
    if (id !== '' && claimed !== '' && claimed !== id) throw otherClient();
    return { by: 'assertion', id: claimed || id, secret: readable };
  }
  return { by: id === '' && secret === '' ? 'nothing' : 'body', id, secret };
}
