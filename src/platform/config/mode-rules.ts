import { isLoopback } from '../kernel/loopback.js';
import type { Environment } from './environment.js';

export function problemsOfMode(env: Environment, backends: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  if (env.SLUICE_MODE === 'production' && env.LIGHTNING_BACKEND && !backends.has(env.LIGHTNING_BACKEND))
    problems.push(`LIGHTNING_BACKEND must be one of: ${[...backends].join(', ')}`);
  if (env.SLUICE_MODE === 'demo') {
    if (env.LIGHTNING_BACKEND && env.LIGHTNING_BACKEND !== 'simulator') problems.push('LIGHTNING_BACKEND must be simulator in demo mode');
    if (env.PUBLIC_URL !== undefined && !isLoopback(new URL(env.PUBLIC_URL).hostname))
      problems.push('PUBLIC_URL must be a loopback address in demo mode');
    if (env.DATABASE_URL && !env.SLUICE_DEMO_ON_EXTERNAL_DB)
      problems.push('DATABASE_URL is refused in demo mode unless SLUICE_DEMO_ON_EXTERNAL_DB=1');
    return problems;
  }
  for (const name of ['PUBLIC_URL', 'LIGHTNING_BACKEND', 'SECRET_KEY', 'NETWORK'] as const)
    if (!env[name]) problems.push(`${name} must be set in production`);
  if (!env.DATABASE_URL && !env.SLUICE_EMBEDDED_POSTGRES)
    problems.push('DATABASE_URL must be set in production (or SLUICE_EMBEDDED_POSTGRES=1)');
  if (env.LIGHTNING_BACKEND === 'simulator' && !env.SLUICE_ALLOW_SIMULATED_MONEY)
    problems.push('LIGHTNING_BACKEND=simulator is refused in production unless SLUICE_ALLOW_SIMULATED_MONEY=1');
  return problems;
}
