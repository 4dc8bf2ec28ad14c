import type { Environment } from './environment.js';

interface Values {
  readonly port: number;
  readonly publicUrl: string;
  readonly issuerUrl: string;
  readonly apiUrl: string;
  readonly websocketUrl: string;
}

function valuesOf(env: Environment, port: number): Values {
  const trim = (url: string): string => url.replace(/\/+$/, '');
  const publicUrl = trim(env.PUBLIC_URL ?? `http://localhost:${port}`);
  return {
    port,
    publicUrl,
    issuerUrl: trim(env.ISSUER_URL ?? publicUrl),
    apiUrl: trim(env.API_URL ?? publicUrl),
    websocketUrl: trim(env.WEBSOCKET_URL ?? publicUrl.replace(/^http/, 'ws')),
  };
}

/** Sluice's public addresses: none ends in a slash, and none is ever taken from a request. */
export class Addresses {
  readonly #env: Environment;
  #values: Values;

  constructor(env: Environment) {
    this.#env = env;
    this.#values = valuesOf(env, env.PORT);
  }

  get port(): number {
    return this.#values.port;
  }

  get publicUrl(): string {
    return this.#values.publicUrl;
  }

  get issuerUrl(): string {
    return this.#values.issuerUrl;
  }

  get apiUrl(): string {
    return this.#values.apiUrl;
  }

  get websocketUrl(): string {
    return this.#values.websocketUrl;
  }

  /** With `PORT=0` the system chooses the port: once Sluice listens, the addresses that were not configured get that port. */
  boundTo(port: number): void {
    if (this.#values.port === 0) this.#values = valuesOf(this.#env, port);
  }
}
