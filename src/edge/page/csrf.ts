import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { PageSessionError } from '../auth/index.js';
import { Config } from '../../platform/config/index.js';
import { Mac, MAC_BYTES } from '../../platform/kernel/mac.js';
import { PageError } from './error-page.js';
import { parseForm, type Form } from './form-body.js';

/** A form is bound to a session, a pre-session (`interaction:` too, because open forms have its MAC), or an interaction. */
export type CsrfBinding = `session:${string}` | `interaction:${string}`;

const SALT_BYTES = 12;

/** Tokens that bind a form to what it was shown to. Nothing is stored; a token is valid as long as its binding. */
@Injectable()
export class Csrf {
  readonly #mac: Mac;
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
    this.#mac = new Mac('sluice page csrf v1', config.secretKey, config.secretKeyPrevious);
  }

  /** The salt makes each token different, so that compression reveals nothing. */
  token(binding: CsrfBinding): string {
    const salt = randomBytes(SALT_BYTES);
    return Buffer.concat([salt, this.#mac.of(salt, binding)]).toString('base64url');
  }

  /** Both proofs that a form is from the page that it was shown on: the browser's headers, and the token. */
  accepts(binding: CsrfBinding, { headers }: FastifyRequest, token: string): boolean {
    return isSameOrigin(headers, this.#config.publicUrl) && this.verify(binding, token);
  }

  /** Accepts the previous secret too. Takes the same time for any wrong token of the right length. */
  verify(binding: CsrfBinding, token: string): boolean {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== SALT_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return false;
    const [salt, mac] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES)];
    return this.#mac.verify(mac, salt, binding);
  }
}

/**
 * One of two checks against forged posts, beside the CSRF token. Over plain http beyond loopback browsers send no `Sec-Fetch-Site`, so
 * `Origin` must match; `Origin: null` alone proves nothing, because every sandboxed frame sends it.
 * @param publicUrl the address from the configuration, never from the request
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}

/** Finds what the form of a request is bound to. Null: nothing, and the form is refused. */
export interface FormBinding {
  /** @throws PageError if the request has no page that could show the form */
  bindingOf(request: FastifyRequest): CsrfBinding | null | Promise<CsrfBinding | null>;
}

/** Names the binding of a handler's form. Without it the form is bound to the page session. */
export const BoundTo = Reflector.createDecorator<Type<FormBinding>>();

/** The fields of the form that the guard has accepted: a parameter of the type `Form`. */
export const PageForm = createParamDecorator((_data: unknown, context: ExecutionContext): Form => {
  const { form } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!form) throw new Error('PageForm is for handlers of forms, in a class with @PageController()');
  return form;
});

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Accepts a form only with both proofs of origin: the browser's headers, and the token for its binding. Runs after the access guard. */
@Injectable()
export class CsrfGuard implements CanActivate {
  constructor(
    private readonly csrf: Csrf,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (SAFE.has(request.method)) return true;
    const named = this.reflector.get<Type<FormBinding> | undefined>(BoundTo, context.getHandler());
    const binding = named ? await this.modules.get(named, { strict: false }).bindingOf(request) : sessionOf(request);
    if (typeof request.body !== 'string') throw new PageError({ kind: 'error', error: 'request' });
    const form = parseForm(request.body);
    if (form.hasNul) throw new PageError({ kind: 'error', error: 'request' });
    if (binding === null || !this.csrf.accepts(binding, request, form.text('csrf')))
      throw named ? new PageError({ kind: 'error', error: 'form' }) : new PageSessionError('The form is not of this session');
    request.form = form;
    return true;
  }
}

const sessionOf = ({ visitor }: FastifyRequest): CsrfBinding | null => (visitor ? `session:${visitor.session.id}` : null);

declare module 'fastify' {
  interface FastifyRequest {
    form?: Form;
  }
}
