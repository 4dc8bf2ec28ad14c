import type { Environment } from './environment.js';

/** Limits of requests and socket operations in progress. */
export interface WorkConfig {
  readonly perAddress: number;
  readonly perPrincipal: number;
  readonly perProcess: number;
}

export const workOf = (env: Environment): WorkConfig => ({
  perAddress: env.WORK_PER_ADDRESS,
  perPrincipal: env.WORK_PER_PRINCIPAL,
  perProcess: env.WORK_PER_PROCESS,
});
