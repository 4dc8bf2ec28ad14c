import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { Passwords } from '../../access/user/index.js';
import type { DemoFile } from './demo-file.js';
import { DemoService } from './demo.service.js';

/** Prepares the demo in demo mode and prints that Sluice is ready: `Sluice is ready at`, which scripts match, and help for people. */
export async function announce(app: INestApplicationContext, url: string, print: (line: string) => void): Promise<void> {
  const config = app.get(Config);
  if (config.simulatedMoney && config.mode === 'production')
    print('All money on this server is SIMULATED (SLUICE_ALLOW_SIMULATED_MONEY=1) and has no real value.');
  if (config.plainHttp) print('This server uses PLAIN HTTP (SLUICE_ALLOW_HTTP=1): passwords and keys can be read on the way.');
  if (config.mode !== 'demo') return print(`Sluice is ready at ${url}`);
  const demo = await app.get(DemoService).prepare();
  for (const line of linesOf(url, demo, app.get(Passwords).signIn)) print(line);
}

function linesOf(url: string, demo: DemoFile, hasPasswords: boolean): string[] {
  const people = Object.values(demo.users);
  const key = people[0]?.apiKeys.read ?? '';
  const password = hasPasswords ? `  password ${people[0]?.password ?? ''}` : '';
  return [
    `Sluice is ready at ${url}`,
    '',
    'This is a demo: all money is simulated, and anyone can use these demo accounts.',
    ...[...people.map(({ email }) => email), 'operator@example.test'].map((email) => `  ${email}${password}`),
    '',
    'Try it:',
    `  curl -s ${url}/graphql -H 'content-type: application/json' -H 'X-API-KEY: ${key}' -d '{"query":"{ me { username defaultAccount { wallets { walletCurrency balance } } } }"}'`,
    '',
  ];
}
