import { Injectable, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Hooks, pathsOverlap } from '../../edge/http/index.js';
import { SignInRedirect } from '../../edge/page/index.js';
import { HOME, paths } from './paths.js';
import { challengeIn, withReturnTo, type ReturnTo } from './return-to.js';

/** An address with the order of a payment fits. */
const MAX_LENGTH = 2_048;
/** Any site can link to the sign-in, so it leads only to an address of this exact form, which no browser can read as another site's. */
const PLAIN = /^(?:\/[\w-]+)+(?:\?[\w&=.-]*)?$/;

@Injectable()
export class ReturnPages extends SignInRedirect {
  private readonly patterns = new Set<string>();

  constructor(hooks: Hooks) {
    super();
    hooks.add('returnPages', (fastify) => {
      fastify.addHook('onRoute', ({ method, url, config }) => {
        if (config?.needsPageSession && method === 'GET' && url !== paths.logout) this.patterns.add(url);
      });
    });
  }

  /** The sign-in leads back to this page, or to that of this form: the form was refused before its handler ran, so the person sends it again. */
  override redirectOf({ method, url }: FastifyRequest): string {
    const [path = ''] = url.split('?', 1);
    const isForm = method !== 'GET';
    if (isForm && path === paths.logout) return `${paths.login}?signed-out=1`;
    const page = this.includes(url) ? url : isForm ? this.nearest(path) : HOME;
    return withReturnTo(isForm ? `${paths.login}?session-ended=1` : paths.login, { to: page === HOME ? undefined : page });
  }

  /** Whether a sign-in may lead to this address. The wallet is not among them: a sign-in leads there anyway. */
  includes(address: unknown): address is string {
    if (typeof address !== 'string' || address.length > MAX_LENGTH || !PLAIN.test(address)) return false;
    const [path = ''] = address.split('?', 1);
    return path !== HOME && this.isPage(path);
  }

  private nearest(path: string): string {
    const parts = path.split('/');
    for (let length = parts.length; length > 1; length--) {
      const candidate = parts.slice(0, length).join('/');
      if (PLAIN.test(candidate) && this.isPage(candidate)) return candidate;
    }
    return HOME;
  }

  private isPage(path: string): boolean {
    return [...this.patterns].some((pattern) => pathsOverlap(pattern, path));
  }
}

@Injectable()
export class ReturnToPipe implements PipeTransform<Readonly<Record<string, unknown>>, ReturnTo> {
  constructor(private readonly pages: ReturnPages) {}

  transform(query: Readonly<Record<string, unknown>>): ReturnTo {
    const { to } = query;
    return { challenge: challengeIn(query), to: this.pages.includes(to) ? to : undefined };
  }
}
