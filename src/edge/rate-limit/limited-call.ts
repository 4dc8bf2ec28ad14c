import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './caller-address.js';

export interface LimitedCall {
  /** This one call: over HTTP the request, in GraphQL the field's own context, because a request may contain many fields. */
  readonly call: object;
  /** The credential's id; empty for a caller without one. */
  readonly principalId: string;
  /** The user of the credential or, on a page, of the session. */
  readonly userId: string | null;
  readonly isAnonymous: boolean;
  readonly address: string;
  readonly args: unknown;
  readonly reply: FastifyReply | undefined;
}

/** The key that a call is counted under; undefined: the policy does not count this call. */
export type KeyOf = (call: LimitedCall) => string | undefined;

type GraphqlContext = Pick<FastifyRequest, 'principal' | 'address'> & { readonly reply?: FastifyReply };

export function callOf(context: ExecutionContext): LimitedCall {
  if (context.getType<string>() === 'graphql') {
    const { principal, address, reply } = context.getArgByIndex<GraphqlContext>(2);
    return { ...callerOf(principal), call: context, address, reply, args: context.getArgByIndex<unknown>(1) };
  }
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { address, body } = request;
  const caller = callerOf(request.visitor?.principal ?? request.principal);
  return { ...caller, call: request, address, reply: context.switchToHttp().getResponse<FastifyReply>(), args: body };
}

const callerOf = ({ kind, id, userId }: FastifyRequest['principal']): Pick<LimitedCall, 'principalId' | 'userId' | 'isAnonymous'> => ({
  principalId: id,
  userId,
  isAnonymous: kind === 'anonymous',
});

export const byAddress: KeyOf = ({ address }) => address;
export const byAccount: KeyOf = ({ userId, principalId, address }) => userId ?? (principalId || address);
export const byPrincipal: KeyOf = ({ principalId, address }) => principalId || address;

export const byAnonymousAddress: KeyOf = ({ isAnonymous, address }) => (isAnonymous ? address : undefined);
export const byAnonymousNetwork: KeyOf = ({ isAnonymous, address }) => (isAnonymous ? networkOf(address) : undefined);
export const allAnonymous: KeyOf = ({ isAnonymous }) => (isAnonymous ? 'all' : undefined);
/** Only anonymous callers count: they must not use up the recipient's own calls. */
export const anonymousByRecipient: KeyOf = ({ isAnonymous, args }) => (isAnonymous ? recipientIn(args) : undefined);
/** By the account's owner: two hundred keys of one account are one caller. */
export const byAccountAndRecipient: KeyOf = ({ isAnonymous, userId, principalId, args }) =>
  isAnonymous ? undefined : `${userId ?? principalId} ${recipientIn(args) ?? ''}`;

function recipientIn(args: unknown): string | undefined {
  const id = (args as { input?: { recipientWalletId?: unknown } }).input?.recipientWalletId;
  return typeof id === 'string' ? id.toLowerCase() : undefined;
}
