import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AccessError, type ErrorCode } from '../graphql/index.js';
import { handlersOf, setRoute, type Handler } from '../http/index.js';
import type { Principal, GqlContext } from './principal.js';
import { defaultFieldResolver, getNamedType, isAbstractType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';

/** Every root field, subscription, REST handler and page has exactly one access rule; the start fails without one. */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'session'; readonly orTrustedApp: boolean; readonly forCallbacks: boolean }
  | { readonly kind: 'page'; readonly optional: boolean; readonly operator: boolean }
  | { readonly kind: 'scopes'; readonly anyOf: readonly string[] };

type RuleDecorator = ClassDecorator & MethodDecorator;

const Rule = Reflector.createDecorator<AccessRule>();
const reflector = new Reflector();

export const accessRuleOf = (
  handler: ReturnType<ExecutionContext['getHandler']>,
  owner: ReturnType<ExecutionContext['getClass']>,
): AccessRule | undefined => reflector.getAllAndOverride<AccessRule | undefined>(Rule, [handler, owner]);

export const ownAccessRuleOf = (target: object): AccessRule | undefined =>
  Reflect.getOwnMetadata(Rule.KEY, target) as AccessRule | undefined;

const rule =
  (value: AccessRule): RuleDecorator =>
  (target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const subject = (descriptor?.value ?? target) as Handler;
    if (ownAccessRuleOf(subject)) throw new Error(`${String(name ?? subject.name)} has two access rules`);
    Reflect.defineMetadata(Rule.KEY, value, subject);
    const readsCredentials = value.kind === 'scopes' || value.kind === 'session';
    const needsPageSession = value.kind === 'page' && !value.optional;
    if (!readsCredentials && !needsPageSession) return;
    // Nest's router reads a route's settings from the method only.
    const covered = descriptor ? [subject] : handlersOf(subject).filter((handler) => !ownAccessRuleOf(handler));
    for (const handler of covered) setRoute(handler, { readsCredentials, needsPageSession });
  };

/** Any **one** of these scopes suffices. */
export const Scopes = (...anyOf: [string, ...string[]]): RuleDecorator => rule({ kind: 'scopes', anyOf });

/** Open to all callers, with or without a credential. For methods only: a class must not open a handler that is added to it later. */
export const Public = (): MethodDecorator => rule({ kind: 'public' });

/**
 * For a signed-in person: never for a key, never for an ordinary app.
 * @param exception `orTrustedApp`: also for a first-party app that manages keys, if the person has allowed it to write; with `forCallbacks` one
 * that manages webhooks, or such an API key
 */
export const SessionOnly = ({ orTrustedApp = false, forCallbacks = false } = {}): RuleDecorator =>
  rule({ kind: 'session', orTrustedApp, forCallbacks });

/** For any valid credential, whatever its scopes. */
export const AnyCredential = (): RuleDecorator => rule({ kind: 'scopes', anyOf: [] });

/**
 * For a person who is signed in on the pages: the handler reads them with `@CurrentVisitor()`. Another browser goes to the sign-in page.
 * @param exception `optional`: also for a browser without a session; the visitor is then null
 */
export const PageSession = ({ optional = false } = {}): RuleDecorator => rule({ kind: 'page', optional, operator: false });

/**
 * For pages of operators: `operator add` gives a person this role, and it is read for each request. All others, also without a session, get
 * the page of an unknown address.
 */
export const Operator = (): RuleDecorator => rule({ kind: 'page', optional: false, operator: true });

/** For endpoints where `Authorization` has another meaning (token endpoint, userinfo, metrics): the handler authenticates. */
export const SkipCredentialCheck = (): MethodDecorator => Public();

const refuse = (code: ErrorCode, message: string, more: { readonly scope?: string; readonly hint?: string } = {}): AccessError =>
  new AccessError(message, { extensions: { code, ...more } });

const SESSION_HINT =
  'This takes a session of the account itself, which no API key and no app has: the owner does it on the dashboard, or sends the token of `POST /auth/login` as `Authorization: Bearer <token>`.';

/** Clients match these texts: they are part of the interface. */
export function refusalOf(principal: Principal | undefined, needed: AccessRule | undefined, acts: boolean): AccessError | undefined {
  if (needed?.kind === 'public') return undefined;
  if (!principal || !needed || needed.kind === 'page') return refuse('NOT_AUTHORIZED', 'Not authorized');
  if (principal.kind === 'anonymous') return refuse('NOT_AUTHENTICATED', 'Not authorized');
  if (needed.kind === 'session') {
    if (principal.kind === 'session') return undefined;
    const manages = needed.forCallbacks ? principal.managesCallbacks : principal.managesKeys;
    if (!needed.orTrustedApp || !manages) return refuse('NOT_AUTHORIZED', 'Not authorized', { hint: SESSION_HINT });
    return principal.kind === 'api-key' ? undefined : refusalOf(principal, { kind: 'scopes', anyOf: ['write'] }, acts);
  }
  if (needed.anyOf.length === 0 || needed.anyOf.some((scope) => principal.scopes.has(scope))) return undefined;
  const text = acts ? 'not authorized to execute mutations' : 'not authorized to read data';
  return refuse('INSUFFICIENT_SCOPE', text, { scope: needed.anyOf.join(' ') });
}

/**
 * A field that **leads to** one of these types needs its scope, so a new payload that shows an account is covered automatically. A
 * mutation's own creation is not among the types: the scope that created it may see it.
 * @param revealing scopes by type, or by one field as `Type.field`
 */
export function requireScopes(schema: GraphQLSchema, revealing: Readonly<Record<string, string>>): GraphQLSchema {
  const needed = new Map<string, AccessRule>();
  for (const [name, scope] of Object.entries(revealing)) {
    if (name.includes('.')) needed.set(name, { kind: 'scopes', anyOf: [scope] });
    const type = schema.getType(name);
    if (!type) continue;
    const named = isAbstractType(type) ? [type, ...schema.getPossibleTypes(type)] : [type];
    for (const each of named) needed.set(each.name, { kind: 'scopes', anyOf: [scope] });
  }
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.has(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, GqlContext>[])
      for (const name of [getNamedType(field.type).name, `${type.name}.${field.name}`]) guard(field, needed.get(name));
  }
  return schema;
}

function guard(field: GraphQLField<unknown, GqlContext>, rule: AccessRule | undefined): void {
  if (!rule) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (parent, args, context, info) => {
    const refusal = refusalOf(context.principal, rule, false);
    if (refusal) throw refusal;
    return resolve(parent, args, context, info);
  };
}
