import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { GraphQLResolveInfo } from 'graphql';
import { accessRuleOf, refusalOf } from './access.js';
import { CredentialUsage, type RefusedBecause } from './credential-usage.js';
import type { GqlContext, Principal } from './principal.js';

interface Asked {
  readonly principal: Principal | undefined;
  readonly address: string;
  readonly operation: string;
  readonly acts: boolean;
}

/** The only guard of rights, for GraphQL root fields, subscriptions and REST handlers. Synchronous; it reads what the hook found. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly usage: CredentialUsage) {}

  canActivate(context: ExecutionContext): boolean {
    const asked = context.getType<string>() === 'http' ? askedByHttp(context) : askedByGraphQL(context);
    const refusal = refusalOf(asked.principal, accessRuleOf(context.getHandler()), asked.acts);
    if (!refusal) return true;
    const { principal, operation, address } = asked;
    if (principal && principal.kind !== 'anonymous')
      this.usage.refused(principal.kind, principal.id, causeOf(refusal.extensions), { operation, address });
    throw refusal;
  }
}

const causeOf = ({ code, scope }: Readonly<Record<string, unknown>>): RefusedBecause =>
  code === 'INSUFFICIENT_SCOPE' ? `scope:${String(scope)}` : 'session-only';

function askedByHttp(context: ExecutionContext): Asked {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    principal: request.principal,
    address: request.address,
    operation: `${request.method} ${request.routeOptions.url ?? ''}`,
    acts: request.method !== 'GET',
  };
}

function askedByGraphQL(context: ExecutionContext): Asked {
  const { principal, address } = context.getArgByIndex<GqlContext>(2);
  const info = context.getArgByIndex<GraphQLResolveInfo>(3);
  return { principal, address, operation: info.fieldName, acts: info.operation.operation === 'mutation' };
}
