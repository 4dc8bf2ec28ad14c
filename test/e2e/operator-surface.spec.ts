import { COMMANDS } from '../../src/operator/act/commands.js';
import { STANDALONE_COMMANDS } from '../../src/cli/run-command.js';
import { ApplicationService } from '../../src/access/oauth/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../support/server-process.js';
import type { LoggedAction } from '../../src/platform/operator-action/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { OperatorCommand } from '../support/operator-command.js';
import { LOG_EVENTS } from '../../src/platform/logging/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
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
    ['client secret add <app> --overlap 60', { client_secret: expect.any(String) }],
    ['client secret end <app>', [expect.objectContaining({ firstUsedAt: null }), expect.objectContaining({ expiresAt: null })]],
    [
      'client profile <app> --require-par --service-scope ledger:read --resource https://books.example/',
      expect.objectContaining({
        requirePar: true,
        serviceScopes: ['ledger:read'],
        resource: 'https://books.example/',
        authMethod: 'secret',
      }),
    ],
    ['client profile <app> --reset require-par', expect.objectContaining({ requirePar: false, serviceScopes: ['ledger:read'] })],
    ['client show <app>', expect.objectContaining({ name: 'Till', changes: [], status: 'approved' })],
    [
      'invitation create --note guest',
      expect.objectContaining({ link: expect.stringMatching(/\/register\?invitation=sluice_in_/), registration: 'open' }),
    ],
    ['invitation list', expect.arrayContaining([expect.objectContaining({ note: 'guest', state: 'open' })])],
    ['user create carla --email carla@example.test', expect.objectContaining({ username: 'carla', password: expect.any(String) })],
    ['settlement list', []],
    ['payment list', []],
    ['frozen', []],
    ['keys rotate', expect.objectContaining({ kid: expect.any(String), signsFrom: expect.stringMatching(/Z$/), keys: expect.any(Array) })],
    ['simulator invoice --sats 5', { paymentRequest: expect.stringMatching(/^lnbcrt/) }],
    ['simulator payments', []],
    ['simulator mine', { height: 101 }],
    ['simulator mine 3', { height: 104 }],
    ['simulator reorg 2', { height: 105 }],
    ['simulator deposit bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080 --sats 5000', { txid: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  ])('%s --json prints one line of JSON', async (words, shape) => {
    const [client] = await app.sluice.app.get(ApplicationService).list();
    const said = await new OperatorCommand(app).run(...words.replace('<app>', client?.id ?? '').split(' '), '--json');
    expect(said).not.toContain('\n');
    expect(JSON.parse(said)).toEqual(shape);
  });

  it.each([
    ['--auth-method private_key_jwt', 'private_key_jwt needs --jwks or --jwks-uri, not both.'],
    ['--jwks-uri https://till.example/keys', '--jwks and --jwks-uri are for --auth-method private_key_jwt.'],
    ['--auth-method mtls', '--auth-method must be secret or private_key_jwt.'],
    ['--id-token-alg HS256', '--id-token-alg must be one of RS256, ES256, EdDSA.'],
    ['--resource books', '--resource must be a web address.'],
    ['--post-logout-redirect-uri http://till.example', 'The address "http://till.example" must use https unless it is on this machine'],
    ['--backchannel-logout-uri till', '--backchannel-logout-uri must be a web address.'],
    ['--jwks nonsense', '--jwks must be JSON'],
    ...['{"keys":[]}', '{"keys":[{"kty":"oct","k":"aa"}]}', '{"keys":[{"kty":"OKP","d":"aa"}]}', '{"keys":[null]}', '[1]'].map((jwks) => [
      `--auth-method private_key_jwt --jwks ${jwks}`,
      '--jwks must be a JSON object with "keys", a list of at least one public key of type RSA, EC or OKP.',
    ]),
    ['--authorization-details [{"type":"wallet"}]', 'authorization_details: the only type is wallet_budget.'],
    ['--reset colour', '--reset takes names of options'],
  ])('client profile %s is refused with the rule', async (words, rule) => {
    const [client] = await app.sluice.app.get(ApplicationService).list();
    const run = new OperatorCommand(app).run('client', 'profile', client?.id ?? '', ...words.split(' '));
    await expect(run).rejects.toThrow(rule);
  });

  it('client profile shows that a public app has no authentication', async () => {
    const operator = new OperatorCommand(app);
    const words = 'client register --public --name Reader --redirect-uri http://127.0.0.1/back --scope read --approve --json'.split(' ');
    const { client_id: id } = JSON.parse(await operator.run(...words)) as { client_id: string };
    expect(await operator.run('client', 'profile', id)).toContain('auth-method: "none"');
    expect(JSON.parse(await operator.run('client', 'profile', id, '--json'))).toMatchObject({ authMethod: 'none' });
  });

  it.each([
    ['', 'PKCE is optional, because the app has a secret. Register with --require-pkce to refuse requests without it.', false],
    ['--no-pkce', 'PKCE is optional, because the app has a secret. Register with --require-pkce to refuse requests without it.', false],
    ['--require-pkce', 'PKCE is required, as you chose.', true],
    ['--public --no-pkce', 'PKCE is required, because a public app has no secret.', true],
  ])('client register says which PKCE rule it chose: %s', async (option, sentence, isRequired) => {
    const words = ['--name', 'Till', '--redirect-uri', 'https://till.example/back', '--scope', 'read', '--approve'];
    const said = await new OperatorCommand(app).run('client', 'register', ...words, ...option.split(' ').filter(Boolean));
    expect(said.split('\n')).toContain(sentence);
    const id = /^client_id: (\S+)$/m.exec(said)?.[1] ?? '';
    const request = {
      response_type: 'code',
      client_id: id,
      redirect_uri: 'https://till.example/back',
      scope: 'read',
      state: 'af0ifjsldkj',
    };
    const { headers } = await fetch(`${app.url}/oauth2/auth?${new URLSearchParams(request).toString()}`, { redirect: 'manual' });
    expect(headers.get('location')).toMatch(isRequired ? /error_description=code%20challenge%20required/ : /\/login\?login_challenge=/);
  });

  it('accept --json, every one of them', () => {
    expect(
      [...COMMANDS, ...STANDALONE_COMMANDS].filter(({ options }) => options?.['--json'] === undefined).map(({ name }) => name),
    ).toEqual([]);
  });
});

it('docs/reference/tables-and-jobs.md says of each table how long its rows are kept', async () => {
  const text = readFileSync(join(PROJECT, 'docs/reference/tables-and-jobs.md'), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith('What is stored, and how long')) ?? '';
  const rows = [...section.matchAll(/^\| (`.*`) \| (.+) \| (.{10,}) \|$/gm)];
  const documented = rows.flatMap(([, names = '']) => names.split(', ').map((name) => name.slice(1, -1)));
  const { rows: real } = await app.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  );
  expect(documented.sort()).toEqual(real.map(({ name }) => name).sort());
});

describe('the log of operators', () => {
  let sluice: OperatorCommand;
  beforeAll(async () => {
    sluice = new OperatorCommand(app);
  });

  const log = async (subject: string): Promise<LoggedAction[]> =>
    (await sluice.json<LoggedAction[]>('operator', 'log', '--subject', subject)).reverse();

  it('has every change of an app, and none that was refused', async () => {
    const words = ['--name', 'Till', '--redirect-uri', 'https://till.example/back', '--scope', 'read', '--because', 'a new shop'];
    const { client_id: id } = await sluice.json<{ client_id: string }>('client', 'register', ...words);
    await expect(sluice.run('client', 'approve', id, '--because', ' ')).rejects.toThrow('--because must not be empty');
    await expect(sluice.run('client', 'approve', 'no-such-app', '--because', 'x')).rejects.toThrow('No app with the id');
    await sluice.run('client', 'approve', id, '--because', 'nothing waits');
    await sluice.run('client', 'secret', 'add', id, '--overlap', '60');
    const [{ id: secretId } = { id: '' }] = await sluice.json<{ id: string }[]>('client', 'secret', 'end', id);
    await sluice.run('client', 'secret', 'end', id, secretId);
    await sluice.run('client', 'suspend', id, '--because', 'a leak');
    await sluice.run('client', 'resume', id, '--because', 'mended');
    await sluice.run('client', 'update', id, '--name', 'Tills');
    await sluice.run('client', 'refuse', id, '--because', 'a copy');
    await sluice.run('client', 'update', id, '--purpose', 'It counts what a till has sold.');
    await sluice.run('client', 'approve', id, '--because', 'contract signed');
    expect(await log(id)).toEqual([
      expect.objectContaining({ action: 'client register', because: 'a new shop', details: { name: 'Till' } }),
      expect.objectContaining({ action: 'client secret add', because: '', details: { name: 'Till', overlapSeconds: 60 } }),
      expect.objectContaining({ action: 'client secret end', because: '', details: { name: 'Till', secretId } }),
      expect.objectContaining({ action: 'client suspend', because: 'a leak' }),
      expect.objectContaining({ action: 'client resume', because: 'mended' }),
      expect.objectContaining({ action: 'client update', details: { name: 'Tills', state: 'waiting' } }),
      expect.objectContaining({ action: 'client refuse', because: 'a copy', details: { name: 'Tills', version: 2 } }),
      expect.objectContaining({ action: 'client update', details: { name: 'Tills', state: 'waiting' } }),
      expect.objectContaining({ action: 'client approve', because: 'contract signed', details: { name: 'Tills', version: 3 } }),
    ]);
    expect(await log('no-such-app')).toEqual([]);
  });

  it('has new signing keys and what was done to jobs, and nothing about jobs that are not there', async () => {
    const { kid } = await sluice.json<{ kid: string }>('keys', 'rotate', '--because', 'the backup was lost');
    expect(await log(kid)).toEqual([expect.objectContaining({ action: 'keys rotate', because: 'the backup was lost' })]);
    const id = await eventually(async () => {
      const jobs = await sluice.json<{ id: string; task: string }[]>('jobs', 'list');
      return jobs.find(({ task }) => task === 'idempotency_cleanup')?.id;
    });
    await eventually(async () => (await sluice.run('jobs', 'retry', id, '--because', 'at once')) !== '');
    expect(await log(id)).toEqual([expect.objectContaining({ action: 'jobs retry', because: 'at once' })]);
    await expect(sluice.run('jobs', 'forget', id)).rejects.toThrow(
      `There is no job ${id}, it is running, or a server runs it on a schedule`,
    );
    expect((await sluice.json<{ id: string }[]>('jobs', 'list')).map((job) => job.id)).toContain(id);
    // The schedule of an extension that was removed.
    const { rows } = await app.pool.query<{ id: string }>(
      "INSERT INTO job (class, task, key, payload, run_at) SELECT class, 'gone', '', '{}', now() - interval '2 minutes' FROM job WHERE id = $1 RETURNING id::text",
      [id],
    );
    const [gone = { id: '' }] = rows;
    expect(await sluice.run('jobs', 'forget', gone.id)).toBe(`Job ${gone.id} is forgotten.`);
    await expect(sluice.run('jobs', 'forget', '999999999')).rejects.toThrow('There is no job 999999999');
    expect(await log('999999999')).toEqual([]);
  });
});

describe('docs/monitoring', () => {
  interface Panel {
    readonly type: string;
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }

  const read = (name: string): string => readFileSync(join(PROJECT, 'docs/monitoring', name), 'utf8');
  const rules = read('alerts.yaml');
  const alerts = [...rules.matchAll(/^ {8}expr: (.+)$/gm)].map(([, expr = '']) => expr);
  const panels = (JSON.parse(read('dashboard.json')) as { panels: readonly Panel[] }).panels.filter(({ type }) => type !== 'row');
  const queries = [...alerts, ...panels.flatMap(({ targets = [] }) => targets.map(({ expr, legendFormat }) => `${expr} ${legendFormat}`))];

  let served: string;
  /** The labels of a metric that has been served with some, else those in its definition. */
  const labelsOf = (metric: string): string[] =>
    [...served.matchAll(new RegExp(`^${metric}\\{([^}]*)\\}`, 'gm'))].flatMap(([, all = '']) =>
      [...all.matchAll(/(\w+)="/g)].map(([, name = '']) => name),
    );

  beforeAll(async () => {
    served = await app.get(Metrics).text();
  });

  it('alerts and panels name metrics that the server has', () => {
    const real = new Set([...served.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
    const named = queries.flatMap((query) => [...query.matchAll(/sluice_\w+/g)].map(([name]) => name));
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !real.has(name))).toEqual([]);
  });

  it('alerts and panels name labels that the metrics have', () => {
    for (const query of queries) {
      const metrics = [...query.matchAll(/sluice_\w+/g)].map(([name]) => name);
      const real = new Set(metrics.flatMap(labelsOf));
      if (real.size === 0) continue; // no value yet: a counter of what has not happened
      const used = [...query.matchAll(/\{\{(\w+)\}\}|(\w+)(?:!?=~?)"/g)].map(([, legend, selector]) => legend ?? selector ?? '');
      expect({ query, unknown: used.filter((name) => !['instance', 'job'].includes(name) && !real.has(name)) }).toEqual({
        query,
        unknown: [],
      });
    }
  });

  it('alerts select values that exist', () => {
    for (const [, metric = '', label = '', value = ''] of alerts.join('\n').matchAll(/(sluice_\w+)\{(\w+)="([^"]+)"\}/g))
      if (labelsOf(metric).length > 0 && label !== 'status') expect(served).toContain(`${metric}{${label}="${value}"}`);
  });

  it('each alert says what it means and what to do, by commands and log events that exist', () => {
    expect([...rules.matchAll(/^ {10}(summary|action): .{10,}$/gm)]).toHaveLength(2 * alerts.length);
    const commands = [...rules.matchAll(/"sluice ([a-z]+(?: [a-z]+)?)/g)].map(([, name = '']) => name);
    const names = COMMANDS.map(({ name }) => name);
    expect(commands.filter((command) => !names.includes(command) && !names.includes(command.split(' ')[0] ?? ''))).toEqual([]);
    const events = [...rules.matchAll(/log events? (\w+)(?: and (\w+))?/g)].flatMap(([, ...found]) => found.filter(Boolean));
    expect(events.filter((event) => !(event in LOG_EVENTS))).toEqual([]);
  });

  it('no panel is without a description', () => {
    expect(panels.length).toBeGreaterThan(20);
    expect(JSON.stringify(panels.filter((panel) => !('description' in panel) || !panel.targets?.length))).toBe('[]');
  });
});
