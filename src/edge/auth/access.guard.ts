import { Injectable, NotFoundException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { HttpArgumentsHost } from '@nestjs/common/interfaces/index.js';
import type { FastifyRequest } from 'fastify';
import type { GraphQLResolveInfo } from 'graphql';
import { Config } from '../../platform/config/index.js';
import { AccessError } from '../graphql/index.js';
import { accessRuleOf, refusalOf, type AccessRule } from './access.js';
import { Authenticator } from './authenticator.js';
import type { Evidence } from './call-log.js';
import { CredentialUsage, type RefusedBecause } from './credential-usage.js';
import { OperatorSettings } from './operator.settings.js';
import { type GqlContext, type Principal, PageSessionError, SecondFactorError } from './principal.js';

interface AccessRequest {
  readonly principal: Principal | undefined;
  readonly operation: string;
  readonly acts: boolean;
  readonly hint?: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** For GraphQL, REST and pages. The request hook has identified the principal; only the session of a page is looked up here, in its turn. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly usage: CredentialUsage,
    private readonly authenticator: Authenticator,
    private readonly settings: OperatorSettings,
    private readonly config: Config,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const isHttp = context.getType<string>() === 'http';
    const rule = accessRuleOf(context.getHandler(), context.getClass());
    if (isHttp && rule?.kind === 'page') return this.admitVisitor(context.switchToHttp(), rule);
    const asked = isHttp ? askedByHttp(context) : askedByGraphQL(context);
    const refusal = refusalOf(asked.principal, rule, asked.acts);
    if (!refusal) return true;
    const { principal, operation } = asked;
    if (principal?.kind === 'anonymous') throw this.withHint(refusal, asked);
    if (principal) this.usage.refused(principal.kind, principal.id, causeOf(refusal.extensions));
    if (principal?.clientId !== undefined)
      this.usage.calls.refused('client', principal.clientId, operation, evidenceOf(principal, refusal.extensions));
    throw refusal;
  }

  private async admitVisitor(http: HttpArgumentsHost, { optional, operator }: Extract<AccessRule, { kind: 'page' }>): Promise<boolean> {
    const request = http.getRequest<FastifyRequest>();
    const visitor = await this.authenticator.findVisitor(request, http.getResponse());
    if (operator && !visitor?.user.isOperator) throw new NotFoundException();
    if (operator && this.needsFactor && !visitor?.session.amr.includes('mfa'))
      throw new SecondFactorError('The session has no second factor');
    if (!visitor && !optional) throw new PageSessionError('No page session');
    request.visitor = visitor;
    if (visitor) request.principal = visitor.principal;
    return true;
  }

  private get needsFactor(): boolean {
    return this.config.mode === 'production' && this.settings.OPERATOR_SECOND_FACTOR;
  }

  private withHint(refusal: AccessError, { hint, headers }: AccessRequest): AccessError {
    const advice = hint ?? this.authenticator.hintFor(headers);
    return advice === undefined ? refusal : new AccessError(refusal.message, { extensions: { ...refusal.extensions, hint: advice } });
  }
}

function evidenceOf({ scopes }: Principal, { code, scope }: Readonly<Record<string, unknown>>): Evidence {
  if (code !== 'INSUFFICIENT_SCOPE') return { cause: 'session-only' };
  return {
    cause: 'scope',
    sent: `a token with ${[...scopes].join(' ') || 'no scope'}`,
    registered: `needs ${String(scope).replaceAll(' ', ' or ')}`,
  };
}

const causeOf = ({ code, scope }: Readonly<Record<string, unknown>>): RefusedBecause =>
  code === 'INSUFFICIENT_SCOPE' ? `scope:${String(scope)}` : 'session-only';

function askedByHttp(context: ExecutionContext): AccessRequest {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    principal: request.principal,
    operation: `${request.method} ${request.routeOptions.url ?? ''}`,
    acts: request.method !== 'GET',
    headers: request.headers,
  };
}

function askedByGraphQL(context: ExecutionContext): AccessRequest {
  const { principal, hint, req } = context.getArgByIndex<GqlContext>(2);
  const { headers } = req as { readonly headers: Readonly<Record<string, unknown>> };
  const info = context.getArgByIndex<GraphQLResolveInfo>(3);
  return { principal, operation: info.fieldName, acts: info.operation.operation === 'mutation', hint, headers };
}
