import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const UPDATE = `mutation ($language: Language!) {
  userUpdateLanguage(input: { language: $language }) { errors { message code path } user { id language } } }`;

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

  const update = async (language: unknown): Promise<unknown> =>
    (await dataOf(app.url, UPDATE, { language }, alice.as('all'))).userUpdateLanguage;
  const languageOf = async (person: Person): Promise<unknown> =>
    (await dataOf(app.url, '{ me { language } }', {}, person.as('read'))).me.language;

  it.each([
    ['en', 'en'],
    ['pt-br', 'pt-BR'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['DEFAULT', ''],
    ['es', 'es'],
    ['', ''],
  ])('stores "%s" as "%s", for this person only', async (language, stored) => {
    expect(await update(language)).toEqual({ errors: [], user: { id: alice.userId, language: stored } });
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
    const { data, errors } = await graphql(app.url, UPDATE, { language: 'fr' }, alice.as('write'));
    expect(data).toEqual({ userUpdateLanguage: { errors: [], user: null } });
    expect(errors).toMatchObject([{ path: ['userUpdateLanguage', 'user'], extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } }]);
    expect(await languageOf(alice)).toBe('fr');
  });
});
