import { TOTP } from 'otpauth';
import { Factors } from '../../src/access/factor/index.js';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { parserOf } from '../../src/cli/command-line.js';
import { invitationCommands } from '../../src/operator/act/invitation.command.js';
import { userCommands } from '../../src/operator/act/user.command.js';
import { PasswordSettings, ResetLinkService, UserService } from '../../src/access/user/index.js';
import { Config } from '../../src/platform/config/index.js';
import { Database } from '../../src/platform/database/index.js';
import { OperatorActions } from '../../src/platform/operator-action/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { OperatorCommand } from '../support/operator-command.js';
import { RawSocket } from '../support/raw-socket.js';

let app: TestApp;
/** The output of the command; throws its refusal. */
const sluice = async (...argv: string[]): Promise<string> => {
  const lines: string[] = [];
  const commands = [...userCommands, ...invitationCommands];
  const parser = parserOf(commands, 'sluice', '', (command, args) => command.run(app.sluice.app, args, (line) => lines.push(line)));
  await parser.parseAsync(argv, { from: 'user' });
  return lines.join('\n');
};
const json = async <T>(...argv: string[]): Promise<T> => JSON.parse(await sluice(...argv, '--json')) as T;
const actions = async (subject: string): Promise<unknown[]> =>
  (await app.pool.query('SELECT action, because, details FROM operator_action WHERE subject = $1 ORDER BY id', [subject])).rows;
const login = async (email: string, password: string): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${app.url}/auth/login`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })).status;
};

beforeAll(async () => (app = await createTestApp({ env: { REGISTRATION: 'invite', THROTTLE_SIGN_IN_ADDRESS: '1000/900' } })));
afterAll(() => app.close());

describe('sluice user create', () => {
  it('makes a user who can sign in and has wallets, and writes that to the operators’ log', async () => {
    const made = await json<{ id: string; password: string }>(
      'user',
      'create',
      'nora',
      '--email',
      'nora@example.test',
      '--because',
      'first user',
    );
    expect(made).toEqual({
      id: expect.any(String),
      username: 'nora',
      email: 'nora@example.test',
      password: expect.stringMatching(/^.{20}$/),
    });
    expect(await login('nora@example.test', made.password)).toBe(200);
    expect(
      (await app.pool.query('SELECT 1 FROM wallet w JOIN account a ON a.id = w.account_id WHERE a.user_id = $1', [made.id])).rows,
    ).toHaveLength(2);
    expect(await actions(made.id)).toEqual([
      { action: 'user create', because: 'first user', details: { username: 'nora', email: 'nora@example.test' } },
    ]);
    expect(await sluice('user', 'create', ' Olga', '--email', 'Olga@example.test')).toMatch(/^User olga was created\.\npassword: \S{20}$/);
  });

  it.each([
    [['nora', '--email', 'other@example.test'], /^Another user has this username\. Free: nora\w+, nora\w+$/],
    [['other', '--email', 'NORA@example.test'], /^Another user has this e-mail address$/],
    [['1x', '--email', 'nora'], /^--email must be an e-mail address\nThe username must have 3 to 50 letters/],
  ])('refuses %j, makes no user and writes no action', async (args, refusal) => {
    const count = async (): Promise<unknown> =>
      (await app.pool.query('SELECT (SELECT count(*) FROM app_user) AS users, (SELECT count(*) FROM operator_action) AS actions')).rows;
    const before = await count();
    await expect(sluice('user', 'create', ...args)).rejects.toThrow(refusal);
    expect(await count()).toEqual(before);
  });
});

describe('sluice user set-password', () => {
  let person: Person;
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = new Fixture(app);
    person = await fixture.user();
  });
  const reads = async (credential: Readonly<Record<string, string>>): Promise<boolean> =>
    (await graphql(app.url, '{ me { id } }', {}, credential)).data?.me !== undefined;

  it.each(['username', 'email'] as const)('finds the user by %s, and ends all sessions and grants', async (by) => {
    const session = await fixture.session(person);
    const shop = await newOAuthApp(app);
    const tokens = await shop.connect(person, { scope: 'read' });
    const grant = { 'oauth2-token': tokens.access_token };
    expect([await reads(session), await reads(grant)]).toEqual([true, true]);
    const socket = await RawSocket.admitted(app.url, session);
    const set = await json<{ password: string }>('user', 'set-password', person[by].toUpperCase(), '--because', 'lost phone');
    expect(set).toEqual({
      email: person.email,
      username: person.username,
      password: expect.any(String),
      keysInUse: ['all', 'write', 'receive', 'read'],
    });
    expect((await socket.closed).code).toBe(4401);
    expect([await reads(session), await reads(grant)]).toEqual([false, false]);
    expect(await reads(person.as('read'))).toBe(true);
    expect([await login(person.email, person.username), await login(person.email, set.password)]).toEqual([401, 200]);
    expect(await actions(person.userId)).toEqual([
      { action: 'user set-password', because: 'lost phone', details: { revokesKeys: false, revokedKeys: 0 } },
    ]);
  });

  it('--revoke-keys revokes every API key of this user, closes their sockets, and touches no other user', async () => {
    const other = await fixture.user();
    const sockets = [await RawSocket.admitted(app.url, person.as('read')), await RawSocket.admitted(app.url, person.as('write'))];
    const { revokedKeys } = await json<{ revokedKeys: number }>(
      'user',
      'set-password',
      person.username,
      '--revoke-keys',
      '--because',
      'stolen',
    );
    for (const socket of sockets) expect(await socket.closed).toEqual({ code: 4401, reason: 'Unauthorized' });
    expect(revokedKeys).toBe(4);
    expect((await app.get(ApiKeyService).list(person.userId)).every(({ revoked }) => revoked)).toBe(true);
    expect([await reads(person.as('read')), await reads(person.as('all')), await reads(other.as('read'))]).toEqual([false, false, true]);
    expect(await actions(person.userId)).toEqual([
      { action: 'user set-password', because: 'stolen', details: { revokesKeys: true, revokedKeys: 4 } },
    ]);
    expect(await sluice('user', 'set-password', person.username, '--revoke-keys', '--because', 'x')).toMatch(
      /^password: \S+\n0 API keys revoked\.$/,
    );
  });

  it('changes nothing if a part of it fails', async () => {
    const session = await fixture.session(person);
    const failed = app.get(UserService).changePassword(person.userId, 'a new password', async (tx, id) => {
      await app.get(ApiKeyService).revokeChosen({ userId: id }, tx);
      throw new Error('no log');
    });
    await expect(failed).rejects.toThrow('no log');
    expect([await reads(session), await reads(person.as('read'))]).toEqual([true, true]);
  });

  it('refuses unknown users', async () => {
    await expect(sluice('user', 'set-password', 'unknown', '--because', 'x')).rejects.toThrow('There is no user "unknown"');
    await expect(sluice('user', 'set-password', 'unknown@example.test', '--because', 'x')).rejects.toThrow(
      'There is no user "unknown@example.test"',
    );
  });
});

describe('sluice user reset-link', () => {
  const PASSWORD = 'a sentence is fine';
  let fixture: Fixture;
  let person: Person;
  let browser: BrowserSession;
  beforeEach(async () => {
    fixture = new Fixture(app);
    person = await fixture.user();
    browser = new BrowserSession(app.url);
  });
  const make = (...options: string[]): Promise<{ link: string; expiresAt: string }> =>
    json('user', 'reset-link', person.username, '--because', 'forgot it', ...options);
  const pathOf = (link: string): string => new URL(link).pathname + new URL(link).search;
  const linked = async (): Promise<string> => pathOf((await make()).link);
  const tokenOf = (path: string): string => new URL(path, app.url).searchParams.get('token') ?? '';
  const reads = async (credential: Readonly<Record<string, string>>): Promise<boolean> =>
    (await graphql(app.url, '{ me { id } }', {}, credential)).data?.me !== undefined;
  const expectRefused = async (visits: readonly Promise<Visit>[], page = 'error-link', status = 410): Promise<void> => {
    for (const { status: got, text } of await Promise.all(visits))
      expect([got, text]).toEqual([status, expect.stringContaining(`data-testid="${page}"`)]);
  };

  it('prints a link with which the person sets a new password once; it ends sessions, grants and sockets, and no keys', async () => {
    const session = await fixture.session(person);
    const grant = { 'oauth2-token': (await (await newOAuthApp(app)).connect(person, { scope: 'read' })).access_token };
    const socket = await RawSocket.admitted(app.url, session);
    const { link, expiresAt } = await make();
    expect(link).toMatch(`${app.url.replace('127.0.0.1', 'localhost')}/reset-password?token=`);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const page = await browser.get(pathOf(link));
    expect([page.status, page.headers.get('cache-control'), page.headers.get('content-security-policy')]).toEqual([
      200,
      'no-store',
      expect.not.stringContaining('script-src'),
    ]);
    // Over plain http a browser must state its origin in the form.
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.text).toContain(person.email);
    const done = await browser.submit(page, { password: PASSWORD, end: 'apps' });
    expect([done.status, done.headers.get('cache-control')]).toEqual([200, 'no-store']);
    for (const name of ['all', 'write', 'receive', 'read']) expect(done.text).toContain(`<li><bdi>${name}</bdi></li>`);
    expect(done.text).toContain(
      'Webhook endpoints stay: delete those that you don’t know under <a href="/dashboard/webhooks">Webhooks</a>',
    );
    expect((await socket.closed).code).toBe(4401);
    expect([await reads(session), await reads(grant), await reads(person.as('read'))]).toEqual([false, false, true]);
    expect([await login(person.email, person.username), await login(person.email, PASSWORD)]).toEqual([401, 200]);
    await expectRefused([browser.get(pathOf(link)), browser.submit(page, { password: 'another sentence' })]);
    expect(await login(person.email, PASSWORD)).toBe(200);
    expect(await actions(person.userId)).toEqual([
      { action: 'user reset-link', because: 'forgot it', details: { username: person.username, hours: 1 } },
      { action: 'user reset-link used', because: '', details: {} },
    ]);
    expect(app.logs.join('\n')).not.toContain(tokenOf(link));
  });

  it('GET and HEAD change nothing, however often a program opens the link', async () => {
    const [session, path] = [await fixture.session(person), await linked()];
    const stored = async (): Promise<unknown> => (await app.pool.query('SELECT * FROM app_user WHERE id = $1', [person.userId])).rows;
    const before = await stored();
    for (let times = 0; times < 3; times++) expect((await new BrowserSession(app.url).get(path)).status).toBe(200);
    expect((await fetch(app.url + path, { method: 'HEAD' })).status).toBe(200);
    expect(await stored()).toEqual(before);
    expect(await reads(session)).toBe(true);
    expect((await browser.submit(await browser.get(path), { password: PASSWORD })).status).toBe(200);
  });

  it('sets one password when its form is sent several times at once', async () => {
    const page = await browser.get(await linked());
    const passwords = ['the first sentence', 'the second sentence', 'the third sentence'];
    const statuses = (await Promise.all(passwords.map((password) => browser.submit(page, { password })))).map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 410, 410]);
    const opened: number[] = [];
    for (const password of passwords) opened.push(await login(person.email, password));
    expect(opened).toEqual(statuses.map((status) => (status === 200 ? 200 : 401)));
  });

  it.each([
    ['short', 'Use at least 10 characters (you entered 5).'],
    ['x'.repeat(257), 'Use at most 256 characters (you entered 257).'],
    ['', 'Choose a password.'],
  ])('keeps the link while the new password breaks a rule (%p), and does not show it again', async (password, rule) => {
    const again = await browser.submit(await browser.get(await linked()), { password });
    expect([again.status, again.text]).toEqual([422, expect.stringContaining(rule)]);
    expect(again.text).not.toMatch(/<input[^>]*type="password"[^>]*value=/);
    expect((await browser.submit(again, { password: PASSWORD })).status).toBe(200);
  });

  it('takes its form only from its own page, in the browser that opened it', async () => {
    const page = await browser.get(await linked());
    const fields = { ...hiddenFields(page), password: PASSWORD };
    const forged = await Promise.all([
      browser.post('/reset-password', { ...fields, csrf: '' }),
      browser.post('/reset-password', fields, { 'sec-fetch-site': 'cross-site' }),
      new BrowserSession(app.url).post('/reset-password', fields),
    ]);
    expect(forged.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await login(person.email, PASSWORD)).toBe(401);
  });

  it('refuses links that are expired, tampered with, of no person, or of an earlier password, all in one way', async () => {
    const path = await linked();
    const page = await browser.get(path);
    const [id = '', expires = '', code = ''] = tokenOf(path).split('.');
    const other = tokenOf(
      pathOf((await json<{ link: string }>('user', 'reset-link', (await fixture.user()).email, '--because', 'x')).link),
    );
    const expired = await app.get(ResetLinkService).create(person.userId, 0, () => Promise.resolve());
    const wrong = [
      tokenOf(pathOf(expired.link)),
      `${id}.${Number(expires) + 3_600}.${code}`,
      `${id}.${expires}.${code.startsWith('A') ? 'B' : 'A'}${code.slice(1)}`,
      `${id}.${expires}.${other.split('.')[2] ?? ''}`,
      `${other.split('.')[0] ?? ''}.${expires}.${code}`,
      `00000000-0000-4000-8000-000000000000.${expires}.${code}`,
      `${'-'.repeat(36)}.${expires}.${code}`,
      `${id}.${expires}`,
      'x'.repeat(5_000),
      '',
    ];
    await expectRefused(wrong.map((token) => browser.get(`/reset-password?token=${token}`)));
    await expectRefused(wrong.map((token) => browser.submit(page, { token, password: PASSWORD })));
    await expectRefused(['/reset-password', '/reset-password?token=1&token=2'].map((each) => browser.get(each)));
    expect(await login(person.email, PASSWORD)).toBe(401);
    expect((await browser.get(path)).status).toBe(200);
    await sluice('user', 'set-password', person.username, '--because', 'asked by phone');
    await expectRefused([browser.get(path), browser.submit(page, { password: PASSWORD })]);
    expect(await login(person.email, PASSWORD)).toBe(401);
  });

  it('a disabled person has a sentence of their own, and no link', async () => {
    const path = await linked();
    const page = await browser.get(path);
    await sluice('user', 'disable', person.username, '--because', 'stolen phone');
    await expectRefused([browser.get(path), browser.submit(page, { password: PASSWORD })], 'error-disabled', 403);
    await expect(make()).rejects.toThrow(`${person.username} is disabled: "user enable" comes first`);
    const service = app.get(UserService);
    const { rows } = await app.pool.query<{ hash: string }>('SELECT password_hash AS hash FROM app_user WHERE id = $1', [person.userId]);
    // Disabled between the look at the link and the new password.
    expect(await service.changePassword(person.userId, PASSWORD, undefined, rows[0]?.hash)).toEqual({ kind: 'not_found' });
    await sluice('user', 'enable', person.username, '--because', 'found');
    expect((await browser.submit(page, { password: PASSWORD })).status).toBe(200);
  });

  it('a link works while SECRET_KEY_PREVIOUS has its key, and no longer', async () => {
    const path = await linked();
    const [next, last] = ['next'.repeat(10), app.get(Config).secretKey];
    const statusWith = async (env: Readonly<Record<string, string>>): Promise<number> => {
      const process = await createTestApp({ beside: app, env });
      const { status } = await new BrowserSession(process.url).get(path);
      await process.close();
      return status;
    };
    expect(await statusWith({ SECRET_KEY: next, SECRET_KEY_PREVIOUS: last })).toBe(200);
    const links = (secretKey: string): ResetLinkService =>
      new ResetLinkService(
        { ...app.get(Config), secretKey } as Config,
        app.get(Database),
        app.get(UserService),
        app.get(OperatorActions),
        app.get(PasswordSettings),
      );
    expect([await links(last).find(tokenOf(path)), await links(next).find(tokenOf(path))]).toEqual([
      expect.objectContaining({ id: person.userId }),
      null,
    ]);
  });

  it('counts wrong links as wrong passwords of the address', async () => {
    const path = await linked();
    const limited = await createTestApp({ beside: app, env: { THROTTLE_SIGN_IN_ADDRESS: '3/900' } });
    const visitor = new BrowserSession(limited.url);
    const statuses: number[] = [];
    for (let times = 0; times < 4; times++) statuses.push((await visitor.get(path)).status, (await visitor.get(`${path}x`)).status);
    const slow = await visitor.get(path);
    await limited.close();
    expect(statuses).toEqual([200, 410, 200, 410, 200, 410, 429, 429]);
    expect([slow.text, Number(slow.headers.get('retry-after'))]).toEqual([
      expect.stringContaining('data-testid="error-slow"'),
      expect.any(Number),
    ]);
    expect((await browser.get(path)).status).toBe(200);
  });

  it.each([
    [['--expires-in-hours', '0'], '--expires-in-hours must be 1 to 24'],
    [['--expires-in-hours', '25'], '--expires-in-hours must be 1 to 24'],
    [['--expires-in-hours', 'soon'], '--expires-in-hours must be a whole number of hours'],
    [['--because', ' '], '--because must not be empty'],
  ])('%j is refused, and recorded nowhere', async (options, refusal) => {
    await expect(make(...options)).rejects.toThrow(refusal);
    await expect(sluice('user', 'reset-link', 'unknown', '--because', 'x')).rejects.toThrow('There is no user "unknown"');
    expect(await actions(person.userId)).toEqual([]);
  });
});

describe('sluice invitation', () => {
  interface Made {
    readonly id: string;
    readonly code: string;
    readonly link: string;
    readonly expiresAt: string;
  }

  it('creates an invitation whose link registers a person, and lists it without its code', async () => {
    const made = await json<Made>('invitation', 'create', '--expires-in-hours', '48', '--note', ' for Petra ');
    expect(made).toMatchObject({
      link: `${app.url.replace('127.0.0.1', 'localhost')}/register?invitation=${made.code}`,
      note: 'for Petra',
    });
    expect(Date.parse(made.expiresAt) - Date.now()).toBeGreaterThan(47.9 * 3_600_000);
    expect(Date.parse(made.expiresAt) - Date.now()).toBeLessThanOrEqual(48 * 3_600_000 + 1_000);
    const browser = new BrowserSession(app.url);
    const fields = { email: 'petra@example.test', username: 'petra', password: 'a sentence is fine', invitation: made.code };
    expect((await browser.submit(await browser.get('/register'), fields)).status).toBe(303);
    const [listed] = await json<Record<string, unknown>[]>('invitation', 'list');
    expect(listed).toMatchObject({ id: made.id, state: 'used', username: 'petra', note: 'for Petra' });
    expect(await sluice('invitation', 'list')).toMatch(new RegExp(`^${made.id} {2}used .* by petra {2}for Petra$`, 'm'));
    expect(await sluice('invitation', 'list')).not.toContain(made.code);
    await expect(sluice('invitation', 'revoke', made.id)).rejects.toThrow('This invitation has already ended: used');
  });

  it('revokes an invitation', async () => {
    const text = await sluice('invitation', 'create');
    const [, id = ''] = /^id: (\S+)$/m.exec(text) ?? [];
    const [, code = ''] = /^code: (\S+)$/m.exec(text) ?? [];
    expect(await sluice('invitation', 'list')).toContain(`${id}  open `);
    expect(await json('invitation', 'revoke', id)).toMatchObject({ id, state: 'revoked' });
    await expect(sluice('invitation', 'revoke', id)).rejects.toThrow('This invitation has already ended: revoked');
    const browser = new BrowserSession(app.url);
    const fields = { email: 'rita@example.test', username: 'rita', password: 'a sentence is fine', invitation: code };
    expect((await browser.submit(await browser.get('/register'), fields)).status).toBe(422);
    expect((await actions(id)).map((action) => (action as { action: string }).action)).toEqual(['invitation create', 'invitation revoke']);
  });

  it.each([
    [['create', '--expires-in-hours', 'soon'], '--expires-in-hours must be a whole number of hours'],
    [['create', '--expires-in-hours', '0'], 'An invitation expires in 1 to 8760 hours'],
    [['create', '--expires-in-hours', '8761'], 'An invitation expires in 1 to 8760 hours'],
    [['create', '--note', 'x'.repeat(201)], 'A note has at most 200 characters'],
    [['revoke', 'petra'], 'No invitation with this id'],
    [['revoke', '00000000-0000-4000-8000-000000000000'], 'No invitation with this id'],
  ])('%j is refused', async (args, refusal) => {
    await expect(sluice('invitation', ...args)).rejects.toThrow(refusal);
  });
});

describe('the operator’s look at people and their credentials', () => {
  let fixture: Fixture;
  let person: Person;
  let command: OperatorCommand;
  const reads = async (credential: Readonly<Record<string, string>>): Promise<boolean> =>
    (await graphql(app.url, '{ me { id } }', {}, credential)).data?.me !== undefined;
  beforeEach(async () => {
    fixture = new Fixture(app);
    person = await fixture.user();
    command = new OperatorCommand(app);
  });

  it('user list pages in the order of usernames, and searches by how a name or an address begins', async () => {
    const first = await command.json<{ username: string }[]>('user', 'list', '--limit', '2');
    const second = await command.json<{ username: string }[]>('user', 'list', '--limit', '2', '--after', first[1]?.username ?? '');
    const names = [...first, ...second].map(({ username }) => username);
    expect(names).toEqual([...new Set(names)].sort());
    for (const search of [person.username, person.email.toUpperCase()])
      expect(await command.json('user', 'list', '--search', search)).toEqual([expect.objectContaining({ id: person.userId })]);
    expect(await command.run('user', 'list', '--limit', '1')).toMatch(/\nMore: .*user list --after \w+, with the same options$/);
    expect(await command.run('user', 'list', '--search', 'zz no such name')).toBe('There are no such users.');
    await expect(command.run('user', 'list', '--limit', '0')).rejects.toThrow('--limit must be 1 to');
  });

  it('user show has the account and what acts for the user, and never a hash', async () => {
    const shown = await command.run('user', 'show', person.email, '--json');
    expect(shown).not.toContain('argon2');
    expect(JSON.parse(shown)).toMatchObject({ id: person.userId, state: 'active', level: 'ONE', keysInUse: 4, webhooks: 0 });
    await expect(command.run('user', 'show', 'missing')).rejects.toThrow('There is no user "missing"');
  });

  it('user disable refuses sign-in, sessions, keys, apps and sockets at once, and user enable gives keys and apps back', async () => {
    const session = await fixture.session(person);
    const shop = await newOAuthApp(app);
    const grant = { 'oauth2-token': (await shop.connect(person, { scope: 'read' })).access_token };
    const key = person.as('read');
    const socket = await RawSocket.admitted(app.url, key);
    expect(await Promise.all([session, grant, key].map(reads))).toEqual([true, true, true]);
    await command.run('user', 'disable', person.username, '--because', 'stolen phone');
    expect((await socket.closed).code).toBe(4401);
    expect(await Promise.all([session, grant, key].map(reads))).toEqual([false, false, false]);
    expect(await login(person.email, person.username)).toBe(401);
    expect(await command.json('user', 'show', person.username)).toMatchObject({ state: 'disabled' });
    await expect(command.run('user', 'disable', person.username, '--because', 'again')).rejects.toThrow('is disabled already');
    await command.run('user', 'enable', person.username, '--because', 'found');
    expect(await Promise.all([session, grant, key].map(reads))).toEqual([false, true, true]);
    await expect(command.run('user', 'enable', person.username, '--because', 'again')).rejects.toThrow('is not disabled');
    expect(await actions(person.userId)).toMatchObject([{ action: 'user disable' }, { action: 'user enable' }]);
  });

  it('account show has balances, what is held, and the limits', async () => {
    await fixture.fund(person, 1_000);
    const shown = await command.json<{ balances: object[]; limits: object[] }>('account', 'show', person.username);
    expect(shown).toMatchObject({ username: person.username, level: 'ONE', isFrozen: false, inFlight: [] });
    expect(shown.balances).toMatchObject([
      { currency: 'BTC', posted: '1000000', held: '0', available: '1000000' },
      { currency: 'USD', posted: '0' },
    ]);
    expect(shown.limits.length).toBe(3);
    await command.run('freeze', person.username, '--because', 'look');
    expect(await command.run('account', 'show', person.email)).toMatch(/level ONE {2}sends are stopped: see "frozen"\nBTC wallet /);
    await expect(command.run('account', 'show', person.userId)).resolves.toContain(person.username);
    await expect(command.run('account', 'show', '00000000-0000-4000-8000-000000000000')).rejects.toThrow('There is no account');
  });

  it('account show counts what was sent in bitcoin at the price of now, as its owner sees it', async () => {
    const recipient = await fixture.user();
    await fixture.fund(person, 100_000);
    const send = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status } }';
    const input = { walletId: person.wallets.BTC, recipientWalletId: recipient.wallets.BTC, amount: 100_000 };
    expect(await dataOf(app.url, send, { input }, person.as('all'))).toEqual({ intraLedgerPaymentSend: { status: 'SUCCESS' } });
    const asked = '{ me { defaultAccount { limits { internalSend { remainingLimit } } } } }';
    const { limits } = await command.json<{ limits: { flow: string; left: { cents: number } }[] }>('account', 'show', person.username);
    const remainingLimit = limits.find(({ flow }) => flow === 'internal_send')?.left.cents;
    expect(await dataOf(app.url, asked, {}, person.as('all'))).toEqual({
      me: { defaultAccount: { limits: { internalSend: [{ remainingLimit }] } } },
    });
  });

  it('key list and key revoke choose keys by id, by person and by app', async () => {
    const [other, keys] = [
      await fixture.user(),
      await command.json<{ id: string; name: string }[]>('key', 'list', '--user', person.username),
    ];
    expect(keys.map(({ name }) => name).sort()).toEqual(['all', 'read', 'receive', 'write']);
    expect(JSON.stringify(keys)).not.toMatch(/keyHash|key_hash/);
    const read = keys.find(({ name }) => name === 'read')?.id ?? '';
    expect(await command.json('key', 'revoke', read, '--because', 'leaked')).toEqual({ revokedKeys: 1 });
    expect([await reads(person.as('read')), await reads(person.as('all')), await reads(other.as('read'))]).toEqual([false, true, true]);
    await app.pool.query(`UPDATE api_key SET client_id = 'shop' WHERE user_id = $1 AND name = 'write'`, [person.userId]);
    expect(await command.json('key', 'list', '--app', 'shop')).toMatchObject([{ name: 'write', username: person.username }]);
    expect(await command.json('key', 'revoke', '--app', 'shop', '--user', other.username, '--because', 'x')).toEqual({ revokedKeys: 0 });
    expect(await command.json('key', 'revoke', '--app', 'shop', '--because', 'x')).toEqual({ revokedKeys: 1 });
    expect(await command.json('key', 'revoke', '--user', person.username, '--because', 'x')).toEqual({ revokedKeys: 2 });
    expect(await reads(other.as('read'))).toBe(true);
    await expect(command.run('key', 'revoke', '--because', 'x')).rejects.toThrow('Name keys by --user or --app');
    expect(await command.run('key', 'list', '--user', person.username, '--limit', '1')).toMatch(/\nOnly the newest 1 are shown\.$/);
    await expect(command.run('key', 'list')).rejects.toThrow('Name keys by --user or --app');
    // A mistyped id must not look revoked; one that is revoked already is.
    const unknown = '00000000-0000-4000-8000-000000000000';
    await expect(command.run('key', 'revoke', unknown, '--because', 'x')).rejects.toThrow('There is no API key with this id');
    await expect(command.run('key', 'revoke', read, '--user', other.username, '--because', 'x')).rejects.toThrow('There is no API key');
    expect(await command.json('key', 'revoke', read, '--because', 'again')).toEqual({ revokedKeys: 0 });
    await expect(command.run('key', 'revoke', 'nonsense', '--because', 'x')).rejects.toThrow('must be a UUID');
  });

  it('webhook list has the endpoints of an account', async () => {
    expect(await command.run('webhook', 'list', person.username)).toBe('The account has no webhook endpoints.');
    expect(await command.run('webhook', 'list', person.userId)).toBe('The account has no webhook endpoints.');
    for (const asked of [
      ['webhook', 'list'],
      ['payment', 'list', '--account'],
      ['account', 'show'],
    ])
      await expect(command.run(...asked, '00000000-0000-4000-8000-000000000000')).rejects.toThrow('There is no account with this id');
    const [{ id }] = (await app.pool.query('SELECT id FROM account WHERE user_id = $1', [person.userId])).rows as [{ id: string }];
    await app.pool.query(
      `INSERT INTO webhook_endpoint (id, account_id, url, secret, waiting) VALUES (gen_random_uuid(), $1, 'https://example.com/x', '\\x00', 2)`,
      [id],
    );
    const line = async (set: string): Promise<string> => {
      await app.pool.query(`UPDATE webhook_endpoint SET ${set} WHERE account_id = $1`, [id]);
      return (await command.run('webhook', 'list', id)).slice(36);
    };
    const [then, at] = [`'2026-11-27T10:00:00Z'`, '2026-11-27T10:00:00.000Z'];
    expect(await line('waiting = 2')).toBe('  not tried yet  https://example.com/x  2 wait');
    expect(await line(`waiting = 0, last_attempt_at = ${then}, last_status = 204`)).toBe(
      `  works  https://example.com/x  0 wait, latest answer HTTP 204 at ${at}`,
    );
    expect(await line(`failing_since = ${then}, last_status = 503, last_error = 'status'`)).toBe(
      `  fails since ${at}  https://example.com/x  0 wait, latest answer HTTP 503 at ${at}`,
    );
    expect(await line(`disabled_at = ${then}, last_status = NULL, last_error = 'timeout'`)).toBe(
      `  disabled since ${at}  https://example.com/x  0 wait, latest answer timeout at ${at}`,
    );
    const added = `api_key_id = (SELECT k.id FROM api_key k WHERE k.user_id = '${person.userId}' ORDER BY k.id LIMIT 1)`;
    expect(await line(`disabled_at = NULL, failing_since = NULL, last_attempt_at = NULL, ${added}`)).toMatch(
      /^ {2}not tried yet {2}https:\/\/example\.com\/x {2}0 wait, added by the API key "[a-z]+"$/,
    );
    expect(await line('api_key_id = gen_random_uuid()')).toMatch(/0 wait, added by an API key that is no longer kept$/);
    await line(`disabled_at = ${then}, failing_since = ${then}`);
    expect(await command.json('webhook', 'list', id)).toMatchObject([{ failingSince: at, disabledAt: at, lastError: 'timeout' }]);
  });

  it('operator log prints names beside ids', async () => {
    await command.run('account', 'level', person.username, 'TWO', '--because', 'seen');
    await command.run('user', 'set-password', person.username, '--because', 'asked');
    const [{ id }] = (await app.pool.query('SELECT id FROM account WHERE user_id = $1', [person.userId])).rows as [{ id: string }];
    expect(await command.run('operator', 'log', '--subject', id)).toContain(`${id} (${person.username})`);
    expect(await command.json('operator', 'log', '--subject', person.userId)).toMatchObject([{ name: person.username }]);
  });
});

describe('sluice user reset-factor', () => {
  it('removes every factor with its recovery codes, once, and writes the reason to the operators’ log', async () => {
    const person = await new Fixture(app).user();
    const factors = app.get(Factors);
    const { id, secret } = await factors.register(person.userId, person.email);
    expect(await factors.enrol(person.userId, id, new TOTP({ secret }).generate())).toMatchObject({ kind: 'enrolled' });
    await expect(sluice('user', 'reset-factor', person.username)).rejects.toThrow('--because');
    const reset = (): Promise<string> => sluice('user', 'reset-factor', person.username, '--because', 'phone stolen, seen in person');
    expect(await reset()).toBe(`${person.username} signs in without a second factor now.`);
    expect(await factors.state(person.userId)).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0 });
    await expect(reset()).rejects.toThrow(`${person.username} has no second factor`);
    expect(await actions(person.userId)).toEqual([
      { action: 'user reset-factor', because: 'phone stolen, seen in person', details: { username: person.username } },
    ]);
  });
});
