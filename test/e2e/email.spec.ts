import { UserService } from '../../src/access/user/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { linkIn, mailsAreSent, mailsTo, mailTo } from '../support/mailbox.js';

const PAGE = '/dashboard/security/email';
let app: TestApp;
let fixture: Fixture;

beforeAll(async () => {
  app = await createTestApp({ env: { THROTTLE_MAIL: '1000/3600', THROTTLE_SIGN_IN_ADDRESS: '1000/900' } });
  fixture = new Fixture(app);
});
afterAll(() => app.close());

async function signedIn({ email }: Pick<Person, 'email'>): Promise<BrowserSession> {
  const browser = new BrowserSession(app.url);
  await browser.signInOnTheWay(await browser.get('/dashboard'), { email, password: PASSWORD });
  return browser;
}
const isIn = async (browser: BrowserSession): Promise<boolean> => (await browser.get('/dashboard')).status === 200;
const post = async (browser: BrowserSession, fields: Fields): Promise<Visit> =>
  browser.post(PAGE, { csrf: hiddenFields(await browser.get(PAGE))['csrf'] ?? '', ...fields });
/** Presses the button of a page that a link leads to. */
const press = async (browser: BrowserSession, link: string, action = `${PAGE}/confirm`): Promise<Visit> => {
  const page = await browser.get(link);
  return page.status === 200 ? browser.post(action, hiddenFields(page)) : page;
};
const stored = async ({ userId }: Person): Promise<{ email: string; verified: boolean }> =>
  (await app.pool.query('SELECT email, email_verified_at IS NOT NULL AS verified FROM app_user WHERE id = $1', [userId])).rows[0];
const withoutTokens = ({ text }: Visit): string => text.replace(/(nonce|name="csrf" value)="[^"]*"/g, '');
const CONFIRM = 'Confirm your e-mail address';

describe('the present address', () => {
  it('is confirmed by a link, whose opening changes nothing, and which counts for its person alone', async () => {
    const [person, other] = [await fixture.user(), await fixture.user()];
    const browser = await signedIn(person);
    expect((await browser.get(PAGE)).text).toContain('Not confirmed');
    expect((await post(browser, { verify: '1' })).location).toBe(`${app.url}${PAGE}?sent=1`);
    const link = linkIn(await mailTo(app, person.email, CONFIRM));
    const scanner = new BrowserSession(app.url);
    expect((await scanner.get(link)).location).toContain('/login?to=');
    await Promise.all([1, 2].map(() => browser.get(link)));
    expect(await stored(person)).toMatchObject({ verified: false });
    expect((await press(await signedIn(other), link)).status).toBe(410);
    expect((await press(browser, link)).location).toBe(`${app.url}${PAGE}?confirmed=1`);
    expect((await browser.get(PAGE)).text).toContain('Confirmed');
    const { data } = await graphql(app.url, '{ me { email { address verified } } }', {}, person.as('read'));
    expect(data).toEqual({ me: { email: { address: person.email, verified: true } } });
    expect(app.logs.join('\n')).not.toContain(link.split('=')[1]);
  });

  it('refuses links that are late, or that an attack has changed', async () => {
    const person = await fixture.user();
    const browser = await signedIn(person);
    await post(browser, { verify: '1' });
    const [id = '', expires = '', address = '', code = ''] = (linkIn(await mailTo(app, person.email, CONFIRM)).split('=')[1] ?? '').split(
      '.',
    );
    const another = Buffer.from('eve@example.test').toString('base64url');
    for (const token of [
      `${id}.${expires}.${another}.${code}`,
      `${id}.${Number(expires) + 9}.${address}.${code}`,
      `${id}.${Number(expires) - 90_000}.${address}.${code}`,
      '',
    ])
      expect((await browser.get(`${PAGE}/confirm?token=${token}`)).status).toBe(410);
    // The code of one purpose is none of another.
    expect((await browser.get(`/undo-email-change?token=${id}.${expires}.${address}.${code}`)).status).toBe(410);
  });
});

describe('another address', () => {
  async function changed(browser: BrowserSession, next: string): Promise<string> {
    expect((await post(browser, { email: next, password: PASSWORD })).status).toBe(303);
    const link = linkIn(await mailTo(app, next, CONFIRM));
    expect((await press(browser, link)).location).toBe(`${app.url}${PAGE}?changed=1`);
    return link;
  }
  const undoLinkTo = async (address: string): Promise<string> => linkIn(await mailTo(app, address, 'Your e-mail address was changed'));

  it('needs the password, and counts from the moment when its link is pressed; the old one can undo it once', async () => {
    const person = await fixture.user();
    const browser = await signedIn(person);
    const next = `new-${person.email}`;
    const wrong = await post(browser, { email: next, password: 'not this one' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This is not your password.')]);
    expect(wrong.text).toContain(`value="${next}"`);
    const link = await changed(browser, next);
    expect(await stored(person)).toEqual({ email: next, verified: true });
    expect((await browser.get(link)).status).toBe(410);
    expect((await browser.get('/dashboard/activity')).text).toContain(`Your e-mail address was changed to ${next}.`);
    const other = await signedIn({ email: next });
    const undo = await undoLinkTo(person.email);
    const stranger = new BrowserSession(app.url);
    await Promise.all([1, 2].map(() => stranger.get(undo)));
    expect(await stored(person)).toMatchObject({ email: next });
    const undone = await press(stranger, undo, '/undo-email-change');
    expect([undone.status, await stored(person)]).toEqual([200, { email: person.email, verified: true }]);
    expect(await Promise.all([browser, other].map(isIn))).toEqual([false, false]);
    expect((await mailTo(app, next, 'The change of your e-mail address was undone')).text).toContain(person.email);
    const [, reset = ''] = /href="(\/reset-password[^"]*)"/.exec(undone.text) ?? [];
    expect((await stranger.get(reset)).status).toBe(200);
    expect((await press(stranger, undo, '/undo-email-change')).status).toBe(410);
    expect(app.logs.join('\n')).not.toContain(undo.split('=')[1]);
  });

  it('can be undone at the first address also after an attack has changed it twice, but not after 7 days', async () => {
    const person = await fixture.user();
    const browser = await signedIn(person);
    await changed(browser, `one-${person.email}`);
    await changed(browser, `two-${person.email}`);
    const undo = await undoLinkTo(person.email);
    const [id = '', expires = ''] = (undo.split('=')[1] ?? '').split('.');
    expect(Math.abs(Number(expires) - Date.now() / 1_000 - 7 * 86_400)).toBeLessThan(60);
    expect(
      (await press(new BrowserSession(app.url), undo.replace(expires, String(Number(expires) - 7 * 86_400)), '/undo-email-change')).status,
    ).toBe(410);
    expect((await press(new BrowserSession(app.url), undo, '/undo-email-change')).status).toBe(200);
    expect([id, await stored(person)]).toEqual([person.userId, { email: person.email, verified: true }]);
  });

  it('can be undone also where an attack has registered the old address, but not where another person has proved it', async () => {
    const [person, proved] = [await fixture.user(), await fixture.user()];
    for (const each of [person, proved]) await changed(await signedIn(each), `thief-${each.email}`);
    const [squatter, owner] = [await fixture.user(), await fixture.user()];
    const move = (to: Person, { email }: Person, isProved: boolean): Promise<unknown> =>
      app.pool.query('UPDATE app_user SET email = $2, email_verified_at = CASE WHEN $3 THEN now() END WHERE id = $1', [
        to.userId,
        email,
        isProved,
      ]);
    await move(squatter, person, false);
    await move(owner, proved, true);
    expect((await press(new BrowserSession(app.url), await undoLinkTo(person.email), '/undo-email-change')).status).toBe(200);
    expect(await stored(person)).toEqual({ email: person.email, verified: true });
    expect(await stored(squatter)).toEqual({ email: `thief-${person.email}`, verified: false });
    expect((await press(new BrowserSession(app.url), await undoLinkTo(proved.email), '/undo-email-change')).status).toBe(410);
    expect(await stored(owner)).toEqual({ email: proved.email, verified: true });
  });

  it('ends with a new password, and with another change', async () => {
    const person = await fixture.user();
    const browser = await signedIn(person);
    await post(browser, { email: `a-${person.email}`, password: PASSWORD });
    const first = linkIn(await mailTo(app, `a-${person.email}`, CONFIRM));
    await changed(browser, `b-${person.email}`);
    expect((await browser.get(first)).status).toBe(410);
    await post(browser, { email: `c-${person.email}`, password: PASSWORD });
    const late = linkIn(await mailTo(app, `c-${person.email}`, CONFIRM));
    await app.pool.query(`UPDATE app_user SET password_hash = password_hash || ' ' WHERE id = $1`, [person.userId]);
    expect((await browser.get(late)).status).toBe(410);
  });

  it('gives an attack by enumeration the same answer for an address that another account has', async () => {
    const [person, other] = [await fixture.user(), await fixture.user()];
    const browser = await signedIn(person);
    const answers = [];
    for (const email of [other.email, `free-${person.email}`]) {
      const answer = await post(browser, { email, password: PASSWORD });
      answers.push([answer.status, answer.location, withoutTokens(await browser.get(answer.location))]);
    }
    expect(answers[0]).toEqual(answers[1]);
    await mailsAreSent(app);
    expect((await mailsTo(app, other.email)).map(({ subject }) => subject)).toEqual(['Your e-mail address is in use']);
    // Taken between the message and its link.
    const link = linkIn(await mailTo(app, `free-${person.email}`, CONFIRM));
    await app.pool.query('UPDATE app_user SET email = $2 WHERE id = $1', [other.userId, `free-${person.email}`]);
    expect((await press(browser, link)).status).toBe(410);
    expect(await stored(person)).toMatchObject({ email: person.email });
  });

  it('is refused where an attack would write headers with it, and where it is no address', async () => {
    const browser = await signedIn(await fixture.user());
    for (const email of [
      '',
      'eve',
      'eve@example.test\r\nBcc: all@example.test',
      '"a b"@example.test',
      '"x\r\nBcc:y"@example.test',
      'a@b.example,c@d.example',
    ])
      expect((await post(browser, { email, password: PASSWORD })).status).toBe(422);
    expect((await browser.post(PAGE, { email: 'a@example.test', password: PASSWORD })).status).toBe(403);
  });
});

describe('the API', () => {
  const INITIATE = `mutation ($email: EmailAddress!) { userEmailRegistrationInitiate(input: { email: $email }) {
    emailRegistrationId errors { code message } me { id } } }`;
  const VALIDATE = `mutation ($id: EmailRegistrationId!, $code: OneTimeAuthCode!) {
    userEmailRegistrationValidate(input: { emailRegistrationId: $id, code: $code }) { errors { code } me { email { address verified } } } }`;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
  type Payload = any;
  const initiate = async (session: Record<string, string>, email: string): Promise<Payload> =>
    (await graphql(app.url, INITIATE, { email }, session)).data?.userEmailRegistrationInitiate;
  const validate = async (session: Record<string, string>, id: string, code: string): Promise<Payload> =>
    (await graphql(app.url, VALIDATE, { id, code }, session)).data?.userEmailRegistrationValidate;
  const codeTo = async (address: string): Promise<string> => /\d{6}/.exec((await mailTo(app, address, 'Your code')).text)?.[0] ?? '';
  const sessionOf = async (person: Person): Promise<Record<string, string>> => ({ ...(await fixture.session(person)) });

  it('confirms and changes an address with a code, and refuses to remove it', async () => {
    const person = await fixture.user();
    const session = await sessionOf(person);
    const own = await initiate(session, person.email);
    expect(own).toEqual({ emailRegistrationId: expect.any(String), errors: [], me: { id: person.userId } });
    const code = await codeTo(person.email);
    const proved = { errors: [], me: { email: { address: person.email, verified: true } } };
    expect(await validate(session, own.emailRegistrationId, code)).toEqual(proved);
    expect(await validate(session, own.emailRegistrationId, code)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
    const next = `api-${person.email}`;
    const { emailRegistrationId: id } = await initiate(session, next);
    expect((await validate(session, id, await codeTo(next))).me).toEqual({ email: { address: next, verified: true } });
    expect(linkIn(await mailTo(app, person.email, 'Your e-mail address was changed'))).toContain('/undo-email-change');
    const { data } = await graphql(app.url, 'mutation { userEmailDelete { errors { code } me { id } } }', {}, session);
    expect(data).toEqual({ userEmailDelete: { errors: [{ code: 'INVALID_INPUT' }], me: null } });
    expect(await stored(person)).toEqual({ email: next, verified: true });
    expect(app.logs.join('\n')).not.toContain(code);
  });

  it('ends a registration after five wrong codes of an attack, 15 minutes, another one, a new password, and for other people', async () => {
    const [person, other] = [await fixture.user(), await fixture.user()];
    const session = await sessionOf(person);
    const begin = async (): Promise<[id: string, code: string]> => {
      const { emailRegistrationId } = await initiate(session, person.email);
      return [emailRegistrationId, await codeTo(person.email)];
    };
    const expectEnded = async ([id, code]: [string, string], credential = session): Promise<void> =>
      expect(await validate(credential, id, code)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
    const guessed = await begin();
    const wrong = guessed[1] === '000000' ? '000001' : '000000';
    const guesses = await Promise.all(Array.from({ length: 7 }, () => validate(session, guessed[0], wrong)));
    expect(guesses.map(({ errors }) => errors[0].code).sort()).toEqual([
      ...Array<string>(5).fill('INVALID_INPUT'),
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
    await expectEnded(guessed);
    const replaced = await begin();
    const late = await begin();
    await expectEnded(replaced);
    await expectEnded(late, await sessionOf(other));
    await app.pool.query(`UPDATE email_registration SET expires_at = now() WHERE user_id = $1`, [person.userId]);
    await expectEnded(late);
    const before = await begin();
    await app.get(UserService).changePassword(person.userId, PASSWORD);
    await expectEnded(before, await sessionOf(person));
    expect(await stored(person)).toMatchObject({ verified: false });
  });

  it('asks for a recent sign-in for another address, and answers an attack by enumeration in one way', async () => {
    const [person, other] = [await fixture.user(), await fixture.user()];
    const session = await sessionOf(person);
    const shape = { emailRegistrationId: expect.any(String), errors: [], me: { id: person.userId } };
    expect([await initiate(session, other.email), await initiate(session, `x-${person.email}`)]).toEqual([shape, shape]);
    await mailsAreSent(app);
    expect((await mailsTo(app, other.email)).map(({ subject }) => subject)).toEqual(['Your e-mail address is in use']);
    await app.pool.query(`UPDATE session SET factor_at = now() - interval '11 minutes' WHERE user_id = $1`, [person.userId]);
    const { errors } = await graphql(app.url, INITIATE, { email: `y-${person.email}` }, session);
    expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_USER_AUTHENTICATION', max_age: 600 } }]);
    expect((await initiate(session, person.email)).errors).toEqual([]);
    expect((await initiate(session, '"a,b"@example.test')).errors).toMatchObject([{ code: 'INVALID_INPUT' }]);
  });
});
