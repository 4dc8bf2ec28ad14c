import { Injectable } from '@nestjs/common';
import { Hooks, pathsOverlap } from '../http/index.js';
import { HOME, paths } from './paths.js';

const MAX_LENGTH = 256;
/** Any site can link to the sign-in, so it leads only to an address of this exact form, which no browser can read as another site's. */
const PLAIN = /^(?:\/[\w-]+)+(?:\?[\w&=.-]*)?$/;

/** The pages that a sign-in may lead to: those that need one, of the core and of extensions. */
@Injectable()
export class ReturnPages {
  private readonly patterns = new Set<string>();

  constructor(hooks: Hooks) {
    hooks.add('returnPages', (fastify) => {
      fastify.addHook('onRoute', ({ method, url, config }) => {
        if (config?.needsPageSession && method === 'GET' && url !== paths.logout) this.patterns.add(url);
      });
    });
  }

  /** Whether a sign-in may lead to this address. The wallet is not among them: a sign-in leads there anyway. */
  includes(address: unknown): address is string {
    if (typeof address !== 'string' || address.length > MAX_LENGTH || !PLAIN.test(address)) return false;
    const [path = ''] = address.split('?', 1);
    return path !== HOME && this.isPage(path);
  }

  /** The page at this path, else the nearest one above it. */
  nearest(path: string): string {
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
