import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../support/server-process.js';
import { CLIENTS } from './rows/clients.js';
import { KNOWN_AT_OIDC_PROVIDER } from './rows/known-differences.js';
import { MONEY } from './rows/money.js';
import { OWN } from './rows/own.js';
import { PAGES } from './rows/pages.js';
import { REQUESTS } from './rows/requests.js';
import { givenServer, Sluice, startOidcProvider, type OtherServer } from './rows/servers.js';
import { Site, type Row } from './rows/target.js';
import { TOKENS } from './rows/tokens.js';

/** What any authorization server can be asked. Each row has the number of the attack (docs/oauth-security.md). */
const PORTABLE: readonly Row[] = [...REQUESTS, ...TOKENS, ...PAGES, ...CLIENTS];
const given = givenServer();

if (given) {
  describe(`the server at ${given.issuer}`, () => {
    beforeAll(() => waitWhereSlowed());

    it.each(PORTABLE)('%s', async (_title, attack) => attack(await Site.at(given)));
  });
} else {
  it('every attack of the list has a row', () => {
    const ids = new Set([...PORTABLE, ...MONEY, ...OWN].map(([title]) => title.slice(0, 4)));
    expect([...ids].sort()).toEqual(Array.from({ length: 50 }, (_, n) => `A-${String(n + 1).padStart(2, '0')}`));
  });

  describe('Sluice, two processes on one database', () => {
    let sluice: Sluice;
    beforeAll(async () => {
      sluice = await Sluice.start();
    });
    afterAll(() => sluice?.close());

    it.each(PORTABLE)('%s', async (_title, attack) => attack(await Site.at(sluice.target)));

    it.each([...MONEY, ...OWN])('%s', async (_title, attack) => attack(await Site.at(sluice.target), sluice));
  });

  describe('oidc-provider 9', () => {
    let other: OtherServer;
    beforeAll(async () => {
      other = await startOidcProvider();
    });
    afterAll(() => other?.close());

    it('each known difference is of a row, and on the page for security engineers', () => {
      const ids = PORTABLE.map(([title]) => title.slice(0, 4));
      const page = readFileSync(join(PROJECT, 'docs/oauth-security.md'), 'utf8');
      for (const [id, { what }] of Object.entries(KNOWN_AT_OIDC_PROVIDER))
        expect([ids.includes(id), page.includes(`| ${what} |`)]).toEqual([true, true]);
    });

    it.each(PORTABLE)('%s', async (title, attack) => {
      const known = KNOWN_AT_OIDC_PROVIDER[title.slice(0, 4)];
      const attacked = Site.at(other.target).then(attack);
      // That the attack succeeds here shows that its row can fail.
      if (known) await expect(attacked).rejects.toThrow(known.seenAs);
      else await attacked;
    });
  });
}

/** A server with limits answers an attacker who waits as long as it says. Secrets are guessed without waiting. */
function waitWhereSlowed(): void {
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const answer = await plain(input, init);
    const isGuess = init?.method === 'POST' && /token|revo/.test(new URL(input).pathname);
    const seconds = Number(answer.headers.get('retry-after') ?? NaN);
    if (answer.status !== 429 || isGuess || !(seconds <= 120)) return answer;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    return globalThis.fetch(input, init);
  };
}
