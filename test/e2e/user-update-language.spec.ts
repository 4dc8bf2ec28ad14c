import { createTestApp, type TestApp } from '../support/app.js';
import { createClient, MeDocument, UserUpdateLanguageDocument, type Client } from '../../src/client/index.js';
import { Fixture, type Person } from '../support/fixture.js';

describe('userUpdateLanguage', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const clientOf = (apiKey: string): Client => createClient({ url: app.url, apiKey });
  const update = async (language: unknown, key = alice.keys.all): Promise<unknown> =>
    (await clientOf(key).request(UserUpdateLanguageDocument, { input: { language: language as string } })).userUpdateLanguage;
  const languageOf = async ({ keys }: Person): Promise<unknown> => (await clientOf(keys.read).request(MeDocument)).me?.language;

  it.each([
    ['en', 'en'],
    ['pt-br', 'pt-BR'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['DEFAULT', ''],
    ['es', 'es'],
    ['', ''],
  ])('stores "%s" as "%s", for this person only', async (language, stored) => {
    expect(await update(language)).toEqual({ errors: [], user: { language: stored } });
    expect(await languageOf(alice)).toBe(stored);
    expect(await languageOf(bob)).toBe('');
  });

  it.each(['qq', 'xyz', 'english', 'en_US', 'en-', '<b>', 7, ['en']])('refuses %p and changes nothing', async (language) => {
    await update('de');
    expect(await update(language)).toEqual({
      errors: [{ message: 'Invalid value for Language', code: 'INVALID_INPUT', path: ['input', 'language'] }],
      user: null,
    });
    expect(await languageOf(alice)).toBe('de');
  });

  it('works with write alone, which does not show the user', async () => {
    await expect(update('fr', alice.keys.write)).rejects.toMatchObject({
      kind: 'graphql',
      data: { userUpdateLanguage: { errors: [], user: null } },
      errors: [{ path: ['userUpdateLanguage', 'user'], extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } }],
    });
    expect(await languageOf(alice)).toBe('fr');
  });
});
