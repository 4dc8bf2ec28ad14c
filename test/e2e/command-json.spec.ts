import { parserOf } from '../../src/cli/command-line.js';
import { COMMANDS } from '../../src/cli/commands.js';
import { STANDALONE_COMMANDS } from '../../src/cli/run-command.js';
import { ClientService } from '../../src/access/oauth/index.js';
import { createTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

describe('the commands of Sluice', () => {
  // In this order: later ones read what earlier ones have made.
  it.each<[words: string, shape: unknown]>([
    [
      'client register --name Till --redirect-uri https://till.example/back --scope read',
      expect.objectContaining({ client_id: expect.any(String), client_secret: expect.any(String) }),
    ],
    ['client list', expect.arrayContaining([expect.objectContaining({ name: 'Till', redirectUris: expect.any(Array) })])],
    ['client approve <app> --because checked', expect.objectContaining({ name: 'Till', state: 'approved' })],
    ['client secret <app> --overlap 60', { client_secret: expect.any(String) }],
    [
      'invitation create --note guest',
      expect.objectContaining({ link: expect.stringMatching(/\/register\?invitation=sluice_in_/), registration: 'open' }),
    ],
    ['invitation list', expect.arrayContaining([expect.objectContaining({ note: 'guest', state: 'open' })])],
    ['user create carla --email carla@example.test', expect.objectContaining({ username: 'carla', password: expect.any(String) })],
    ['settlement list', []],
    ['payment list', []],
    ['frozen', []],
    ['keys rotate', { kid: expect.any(String), signsFrom: expect.stringMatching(/Z$/) }],
    ['simulator invoice --sats 5', { paymentRequest: expect.stringMatching(/^lnbcrt/) }],
    ['simulator payments', []],
  ])('%s --json prints one line of JSON', async (words, shape) => {
    const [client] = await app.sluice.app.get(ClientService).list();
    const lines: string[] = [];
    const parser = parserOf(COMMANDS, 'sluice', '', (command, args) => command.run(app.sluice.app, args, (line) => lines.push(line)));
    await parser.parseAsync([...words.replace('<app>', client?.id ?? '').split(' '), '--json'], { from: 'user' });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual(shape);
  });

  it('accept --json, every one of them', () => {
    expect(
      [...COMMANDS, ...STANDALONE_COMMANDS].filter(({ options }) => options?.['--json'] === undefined).map(({ name }) => name),
    ).toEqual([]);
  });
});
