import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { Refusal } from '../graphql/index.js';
import type { Principal } from './principal.js';

/** Who may call a handler. Every root field, subscription and REST handler has exactly one rule; a handler without one is refused. */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'session'; readonly orTrustedApp: boolean }
  | { readonly kind: 'scopes'; readonly anyOf: readonly string[] };

const RULE = Symbol('access rule');

const noted =
  (value: AccessRule): MethodDecorator =>
  (_class, name, { value: method }: PropertyDescriptor) => {
    if (Reflect.hasOwnMetadata(RULE, method as object)) throw new Error(`${String(name)} has two access rules`);
    Reflect.defineMetadata(RULE, value, method as object);
  };

/** The request hook reads `readsCredentials` off the route: REST requests are authenticated only where a handler requires it. */
const rule = (value: AccessRule): MethodDecorator =>
  value.kind === 'public' ? noted(value) : applyDecorators(RouteConfig({ readsCredentials: true }), noted(value));

export const accessRuleOf = (handler: object): AccessRule | undefined => Reflect.getMetadata(RULE, handler) as AccessRule | undefined;

/** Any **one** of these scopes suffices. */
export const Scopes = (...anyOf: [string, ...string[]]): MethodDecorator => rule({ kind: 'scopes', anyOf });

/** Open to all callers, with or without a credential. */
export const Public = (): MethodDecorator => rule({ kind: 'public' });

/**
 * For a signed-in person: never for a key, never for an ordinary app.
 * @param exception `orTrustedApp`: also for a first-party app that manages keys, if the person has allowed it to write
 */
export const SessionOnly = ({ orTrustedApp = false } = {}): MethodDecorator => rule({ kind: 'session', orTrustedApp });

/** For any valid credential, whatever its scopes. */
export const AnyCredential = (): MethodDecorator => rule({ kind: 'scopes', anyOf: [] });

/** For endpoints where `Authorization` has another meaning (token endpoint, userinfo): the handler authenticates. */
export const SkipCredentialCheck = (): MethodDecorator => Public();

const refuse = (code: string, message: string, scopes?: readonly string[]): Refusal =>
  new Refusal(message, { extensions: { code, ...(scopes && { scope: scopes.join(' ') }) } });

/** The refusal that `principal` gets under this rule, if any. Clients match the texts: they are part of the interface. */
export function refusalOf(principal: Principal | undefined, needed: AccessRule | undefined, acts: boolean): Refusal | undefined {
  if (needed?.kind === 'public') return undefined;
  if (!principal || !needed) return refuse('NOT_AUTHORIZED', 'Not authorized');
  if (principal.kind === 'anonymous') return refuse('NOT_AUTHENTICATED', 'Not authorized');
  if (needed.kind === 'session') {
    if (principal.kind === 'session') return undefined;
    if (!needed.orTrustedApp || !principal.managesKeys) return refuse('NOT_AUTHORIZED', 'Not authorized');
    return refusalOf(principal, { kind: 'scopes', anyOf: ['write'] }, acts);
  }
  if (needed.anyOf.length === 0 || needed.anyOf.some((scope) => principal.scopes.has(scope))) return undefined;
  return refuse('INSUFFICIENT_SCOPE', acts ? 'not authorized to execute mutations' : 'not authorized to read data', needed.anyOf);
}
