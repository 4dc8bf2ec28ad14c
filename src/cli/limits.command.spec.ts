import type { INestApplicationContext } from '@nestjs/common';
import { Config, loadConfig } from '../config/index.js';
import { limitsCommands } from './limits.command.js';

describe('sluice limits', () => {
  const run = async (env: Record<string, string>, options: Record<string, true> = {}): Promise<string[]> => {
    const config = loadConfig(env, () => 'k'.repeat(32));
    const app = { get: (token: unknown) => (token === Config ? config : undefined) } as unknown as INestApplicationContext;
    const lines: string[] = [];
    await limitsCommands[0]?.run(app, { positionals: [], options }, (line) => void lines.push(line));
    return lines;
  };

  it('lists each policy with its value, its variable and what it counts', async () => {
    const lines = await run({ THROTTLE_PRINCIPAL: '7/30' });
    expect(lines).toHaveLength(15);
    expect(lines.find((line) => line.startsWith('principal '))).toMatch(
      /^principal +7 in 30 s +THROTTLE_PRINCIPAL +all calls with one key, grant or session/,
    );
    expect(lines.every((line) => / THROTTLE_[A-Z_]+ +\S.+ \S/.test(line))).toBe(true);
  });

  it('prints them as JSON', async () => {
    const [line] = await run({}, { json: true });
    expect(JSON.parse(line ?? '')).toContainEqual({
      name: 'signInAccount',
      limit: 10,
      windowSeconds: 900,
      variable: 'THROTTLE_SIGN_IN_ACCOUNT',
      counts: 'wrong passwords for one account from one address',
    });
  });
});
