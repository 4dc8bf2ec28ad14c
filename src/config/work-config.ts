import type { Environment } from './environment.js';

/** How much is worked on at once. */
export interface WorkConfig {
  readonly perConnection: number;
  readonly perAddress: number;
  readonly perPrincipal: number;
  readonly perProcess: number;
}

export const workOf = (env: Environment): WorkConfig => ({
  perConnection: env.WORK_PER_CONNECTION,
  perAddress: env.WORK_PER_ADDRESS,
  perPrincipal: env.WORK_PER_PRINCIPAL,
  perProcess: env.WORK_PER_PROCESS,
});
