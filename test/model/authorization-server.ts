import assert from 'node:assert/strict';
import fc from 'fast-check';
import { App, Site, type Tokens } from '../attack/rows/target.js';
import type { Sluice } from '../attack/rows/servers.js';
import { personIn, demoPerson } from '../support/demo-person.js';
import { graphql } from '../support/graphql.js';
import { hiddenFields, formAction } from '../support/browser-session.js';
import { eventually } from '../../src/testing/eventually.js';
import type { ServerProcess } from '../support/server-process.js';

/** What a person may spend through an app in a day. */
const BUDGET = 300;
const SCOPES = ['read', 'receive', 'write', 'offline'];
const SERVICES = ['https://rates.example.test/', 'https://books.example.test/'];
const SETTLED_MS = 60_000;

interface AccessToken {
  readonly text: string;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
}

interface RefreshToken {
  readonly text: string;
  /** The pairs with which the server has answered it. */
  readonly successors: Set<string>;
}

/** What a person has granted once. */
class Grant {
  live = true;
  readonly access: AccessToken[] = [];
  readonly refresh: RefreshToken[] = [];

  constructor(
    readonly owner: ModelApp,
    readonly scopes: readonly string[],
    readonly audience: readonly string[],
  ) {}
}

/** An app as the model knows it; its secret changes. */
class ModelApp {
  suspended = false;
  spent = 0;

  constructor(readonly app: App) {}
}

interface Given {
  readonly ticked: readonly string[];
  readonly asked: readonly string[];
  readonly tokens: Tokens;
  readonly isLive: boolean;
}

export class Model {
  readonly grants: Grant[] = [];

  constructor(readonly apps: readonly ModelApp[]) {}

  /** What a code has given. */
  async granted(system: System, owner: ModelApp, { ticked, asked, tokens, isLive }: Given): Promise<Grant> {
    const grant = new Grant(owner, ticked, asked.length > 0 ? asked : [system.api]);
    grant.live = isLive;
    const { audience } = grant;
    grant.access.push(
      isLive ? await looked(system, owner.app, tokens) : { text: tokens.access_token, scopes: tokens.scope.split(' '), audience },
    );
    if (tokens.refresh_token) grant.refresh.push({ text: tokens.refresh_token, successors: new Set() });
    this.grants.push(grant);
    return grant;
  }
}

/** Two processes of Sluice, one of which may be killed. */
export class System {
  private constructor(
    readonly sluice: Sluice,
    readonly site: Site,
  ) {}

  static async on(sluice: Sluice): Promise<System> {
    for (const resource of SERVICES) {
      const { id } = await sluice.register();
      await sluice.one.sluice('client', 'profile', id, '--resource', resource, '--because', 'a test');
    }
    return new System(sluice, await Site.at(sluice.target));
  }

  /** Apps that have nothing yet, for one run. */
  async model(apps: number): Promise<Model> {
    const made = await Promise.all(Array.from({ length: apps }, () => this.sluice.register()));
    return new Model(made.map((registered) => new ModelApp(new App(this.site, registered))));
  }

  get processes(): readonly [ServerProcess, ServerProcess] {
    return [this.sluice.one, this.sluice.two];
  }

  /** What a token is for that names no service. */
  get api(): string {
    return `${this.site.target.issuer}/graphql`;
  }

  /** Whether a refresh token that was used is still inside the time for retries. */
  allowRetries(isInside: boolean): Promise<unknown> {
    const until = `now() ${isInside ? '+' : '-'} interval '1 hour'`;
    return this.sluice.pool.query(`UPDATE oauth_refresh_token SET replay_until = ${until} WHERE replay_until IS NOT NULL`);
  }

  operate(...command: string[]): Promise<string> {
    return this.sluice.one.sluice(...command, '--because', 'a test');
  }
}

const within = (one: readonly string[], other: readonly string[]): boolean => one.every((each) => other.includes(each));

/** Each token that was ever issued is alive on each process if, and only if, its grant is, with what was granted. */
export async function agree(model: Model, { site }: System, newest = Infinity): Promise<void> {
  for (const { owner, live, access, refresh, scopes, audience } of model.grants) {
    for (const { successors } of refresh) assert.ok(successors.size <= 1, 'a refresh token has two successors');
    for (const token of access.slice(-newest)) {
      assert.ok(within(token.scopes, scopes), `scope has grown: ${token.scopes.join(' ')} of ${scopes.join(' ')}`);
      assert.ok(within(token.audience, audience), `audience has widened: ${token.audience.join(' ')} of ${audience.join(' ')}`);
      for (const process of [0, 1]) {
        const expected = live && !owner.suspended;
        await eventually(async () => (await site.works(token.text, process)) === expected, SETTLED_MS).catch(() =>
          assert.fail(`a token is ${expected ? 'dead with a live grant' : 'alive without a live grant'} on process ${process}`),
        );
      }
    }
  }
}

/** What the server says of a token, to the client that it is for. */
async function looked({ site }: System, app: App, tokens: Tokens): Promise<AccessToken> {
  const url = site.endpoint('token').replace(/token$/, 'introspect');
  const { body } = await site.post(url, { token: tokens.access_token }, { authorization: app.basic });
  const { scope, aud, active } = body as { scope: string; aud: string | string[]; active: boolean };
  assert.equal(active, true, 'a new token is inactive');
  assert.deepEqual(scope.split(' ').sort(), tokens.scope.split(' ').sort());
  return { text: tokens.access_token, scopes: scope.split(' '), audience: [aud].flat() };
}

type Act = (model: Model, system: System) => Promise<void>;

export class Step implements fc.AsyncCommand<Model, System> {
  constructor(
    private readonly text: string,
    private readonly act: Act,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, system: System): Promise<void> {
    await this.act(model, system);
    await agree(model, system, 1);
  }

  toString(): string {
    return this.text;
  }
}

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(list.length, 1)];

/** The person is asked and ticks some of the boxes. @returns the code; undefined: the app may not even ask */
async function consented(
  system: System,
  { app, suspended }: ModelApp,
  ticked: readonly string[],
  asked: readonly string[],
): Promise<string | undefined> {
  const browser = await system.site.personsBrowser();
  const resources = asked.map((resource) => `&resource=${encodeURIComponent(resource)}`).join('');
  const page = await system.site.page(await browser.get(`${app.url({ scope: SCOPES.join(' ') })}${resources}`), browser);
  if (suspended) return void assert.equal(page.status, 400);
  const answer = { decision: 'allow', scope: ticked, limit: String(BUDGET), window: 'daily' };
  const { location } = await browser.post(formAction(page), { ...hiddenFields(page), ...answer });
  const code = new URL(location).searchParams.get('code');
  assert.ok(code, 'no code');
  return code;
}

/** The app redeems a code on either process, perhaps at once on both, perhaps again. */
const connect =
  (n: number, ticked: readonly string[], asked: readonly string[], how: 'once' | 'at once' | 'again'): Act =>
  async (model, system) => {
    const owner = pick(model.apps, n) as ModelApp;
    const { app } = owner;
    const code = await consented(system, owner, ticked, asked);
    if (code === undefined) return;
    const places = how === 'at once' ? [0, 1, 0, 1] : [n];
    const answers = await Promise.all(places.map((place) => app.exchange(code, {}, place)));
    const right = answers.filter(({ status }) => status === 200);
    assert.ok(right.length === 1 || how === 'at once', 'the code was not redeemed once');
    assert.ok(right.length <= 1, 'a code was redeemed twice');
    for (const { body } of right) {
      const grant = await model.granted(system, owner, { ticked, asked, tokens: body as Tokens, isLive: how !== 'at once' });
      if (how !== 'again') continue;
      // A code that is used again ends what it gave.
      assert.equal((await app.exchange(code, {}, n + 1)).status, 400);
      grant.live = false;
    }
  };

/** The newest refresh token of a grant is used on one process or on both at once; or an old one; with less, or with more than was granted. */
const refresh =
  (n: number, process: number, how: 'newest' | 'both at once' | 'old' | 'late' | 'less' | 'more scope' | 'more audience'): Act =>
  async (model, system) => {
    const grant = pick(
      model.grants.filter(({ refresh: { length } }) => length > 0),
      n,
    );
    if (!grant) return;
    const { app, suspended } = grant.owner;
    const newest = grant.refresh.at(-1) as RefreshToken;
    const before = grant.refresh.at(-3);
    const isOld = before !== undefined && (how === 'old' || how === 'late');
    const shown = isOld ? before : newest;
    if (isOld) await system.allowRetries(how === 'old');
    const more = {
      less: { scope: grant.scopes[0] },
      'more scope': { scope: [...grant.scopes, 'openid'].join(' ') },
      'more audience': { resource: SERVICES.find((service) => !grant.audience.includes(service)) ?? 'https://unknown.example.test/' },
    };
    const sent = how in more ? more[how as keyof typeof more] : {};
    const places = how === 'both at once' ? [0, 1, 0, 1] : [process];
    const answers = await Promise.all(places.map((place) => app.refresh(shown.text, sent, place)));
    for (const { status, body } of answers) {
      const isRefused: boolean = !grant.live || suspended || how.startsWith('more') || shown !== newest;
      assert.equal(status >= 400, isRefused, `refresh (${how}) was answered with ${status} ${JSON.stringify(body)}`);
      if (isRefused) continue;
      const tokens = body as Tokens;
      if (shown.successors.size === 0) {
        grant.access.push(await looked(system, app, tokens));
        grant.refresh.push({ text: tokens.refresh_token, successors: new Set() });
      }
      shown.successors.add(`${tokens.access_token} ${tokens.refresh_token}`);
    }
    // A retry ends nothing; a late one is a theft.
    if (isOld && how === 'late' && !suspended) grant.live = false;
  };

const revoke =
  (n: number, process: number, which: 'access' | 'refresh' | 'foreign'): Act =>
  async (model) => {
    const grant = pick(model.grants, n);
    const token = which === 'refresh' ? grant?.refresh.at(-1) : grant?.access.at(-1);
    if (!grant || !token) return;
    const others = model.apps.filter((each) => each !== grant.owner && !each.suspended);
    const by = which === 'foreign' ? pick(others, n) : grant.owner;
    if (!by) return;
    const { status } = await by.app.revoke(token.text, process);
    // 429: a server counts those who may not authenticate.
    assert.equal(status !== 200, by.suspended, `a revocation was answered with ${status}`);
    if (status === 200 && which !== 'foreign') grant.live = false;
  };

const suspendOrResume =
  (n: number): Act =>
  async (model, system) => {
    const owner = pick(model.apps, n) as ModelApp;
    await system.operate('client', owner.suspended ? 'resume' : 'suspend', owner.app.registered.id);
    owner.suspended = !owner.suspended;
  };

/** The old secret ends at once; what was granted stays. */
const roll =
  (n: number): Act =>
  async (model, system) => {
    const { app, suspended } = pick(model.apps, n) as ModelApp;
    if (suspended) return;
    const old = app.basic;
    const printed = await system.operate('client', 'secret', 'add', app.registered.id, '--overlap', '0', '--json');
    app.registered = { ...app.registered, secret: (JSON.parse(printed) as { client_secret: string }).client_secret };
    for (const process of [0, 1]) {
      const by = async (authorization: string): Promise<number> =>
        (await app.token({ grant_type: 'x' }, { process, headers: { authorization } })).status;
      await eventually(async () => (await by(app.basic)) === 400 && [401, 429].includes(await by(old)), SETTLED_MS);
    }
  };

/** A payment by the newest token of a grant succeeds exactly where it is permitted and within the budget. */
const pay =
  (n: number, place: number, sats: number): Act =>
  async (model, system) => {
    const { one, two } = system.sluice;
    const grant = pick(
      model.grants.filter(({ scopes, live }) => n % 4 === 0 || (live && scopes.includes('write'))),
      n,
    );
    const token = grant?.access.at(-1);
    if (!grant || !token) return;
    const { owner, live } = grant;
    const { paymentRequest } = await demoPerson(two, 'bob').invoice(sats);
    const input = { walletId: personIn(one, 'alice').wallets.BTC, paymentRequest };
    const document = 'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status } }';
    const { data } = await graphql(system.processes[place]?.url ?? '', document, { input }, { 'oauth2-token': token.text });
    const isPaid = data?.lnInvoicePaymentSend?.status === 'SUCCESS';
    const mayPay = live && !owner.suspended && token.scopes.includes('write') && token.audience.includes(system.api);
    assert.equal(
      isPaid,
      mayPay && owner.spent + sats <= BUDGET,
      `${sats} after ${owner.spent} of ${BUDGET} was ${isPaid ? '' : 'not '}paid`,
    );
    if (isPaid) owner.spent += sats;
  };

/**
 * Kills the second process while it refreshes and redeems a code; the apps ask the other one again. A refresh has its one successor. A code
 * gives its tokens now, or they were lost with the answer, and are dead.
 */
const killAmid =
  (n: number): Act =>
  async (model, system) => {
    const owner = pick(
      model.apps.filter(({ suspended }) => !suspended),
      n,
    );
    const grant = pick(
      model.grants.filter((each) => each.live && !each.owner.suspended && each.refresh.length > 0),
      n,
    );
    const code = owner && (await consented(system, owner, SCOPES, []));
    const shown = grant?.refresh.at(-1);
    const nothing = Promise.resolve(undefined);
    const cut = Promise.allSettled([
      grant && shown ? grant.owner.app.refresh(shown.text, {}, 1) : nothing,
      owner && code ? owner.app.exchange(code, {}, 1) : nothing,
    ]);
    await new Promise((resolve) => setTimeout(resolve, n));
    await system.processes[1].end('SIGKILL');
    const [refreshed, redeemed] = (await cut).map((each) => (each.status === 'fulfilled' ? each.value : undefined));
    if (grant && shown) {
      const again = await grant.owner.app.refresh(shown.text, {}, 0);
      assert.equal(again.status, 200, 'a repetition after a crash was refused');
      for (const answer of [refreshed, again]) {
        const { access_token: access, refresh_token: token } = (answer?.body ?? {}) as Partial<Tokens>;
        if (access) shown.successors.add(`${access} ${token ?? ''}`);
      }
      const tokens = again.body as Tokens;
      grant.access.push(await looked(system, grant.owner.app, tokens));
      grant.refresh.push({ text: tokens.refresh_token, successors: new Set() });
    }
    if (owner && code) {
      const again = await owner.app.exchange(code, {}, 0);
      assert.ok(redeemed?.status !== 200 || again.status === 400, 'a code was redeemed twice');
      for (const [answer, isLive] of [
        [redeemed, false],
        [again, true],
      ] as const)
        if (answer?.status === 200)
          await model.granted(system, owner, { ticked: SCOPES, asked: [], tokens: answer.body as Tokens, isLive });
    }
    await system.processes[1].start();
  };

const index = fc.nat(11);
const place = fc.nat(1);
const step = <T extends unknown[]>(name: string, weight: number, values: fc.Arbitrary<T>, act: (...values: T) => Act) => ({
  weight,
  arbitrary: values.map((drawn) => new Step(`${name}(${drawn.map((value) => JSON.stringify(value)).join(', ')})`, act(...drawn))),
});
const how = <T extends string>(...ways: T[]): fc.Arbitrary<T> => fc.constantFrom(...ways);
/** Two that are seen are boxes on the page, of which at least one is ticked. */
const ticked = fc.subarray(SCOPES, { minLength: 2 }).filter((scopes) => scopes.some((scope) => scope !== 'offline'));

/** Each run begins with two apps that are connected. */
export const stepsOf = (length: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      step('connect', 4, fc.tuple(index, ticked, fc.subarray(SERVICES), how('once', 'once', 'once', 'at once', 'again')), connect),
      step(
        'refresh',
        8,
        fc.tuple(index, place, how('newest', 'newest', 'both at once', 'old', 'late', 'less', 'more scope', 'more audience')),
        refresh,
      ),
      step('revoke', 2, fc.tuple(index, place, how('access', 'refresh', 'foreign')), revoke),
      step('suspend or resume', 2, fc.tuple(index), suspendOrResume),
      step('roll', 1, fc.tuple(index), roll),
      step('pay', 5, fc.tuple(index, place, fc.integer({ min: 50, max: 200 })), pay),
    ),
    { minLength: length, maxLength: length },
  );
export { connect, killAmid, SCOPES };
