import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { IsInt, Min } from 'class-validator';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createApp, type Extension } from '../../src/index.js';
import { createTestApp } from '../../src/testing/index.js';
import { tipping } from '../extensions/tipping/tipping.extension.js';
import { createTestDatabase } from '../support/database.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-refusal-'));
afterAll(() => rmSync(folder, { recursive: true }));

@Module({})
class EmptyModule {}

let files = 0;
const plant = (more: Partial<Extension> = {}): Extension => ({ name: 'acme', module: EmptyModule, ...more });
function sdl(text: string, name = 'acme'): Extension & { schema: string } {
  const schema = join(folder, `${++files}.graphql`);
  writeFileSync(schema, text);
  return { ...plant({ name }), schema };
}
/** The error of a start that must not reach the database: none exists at this address. */
async function refusal(env: Readonly<Record<string, string>>, ...extensions: Extension[]): Promise<string> {
  const started = createApp({
    env: { LOG_LEVEL: 'silent', SECRET_KEY: 'x'.repeat(32), ...env },
    connection: { host: join(folder, 'nowhere') },
    extensions,
  });
  return started.then(
    () => 'it started',
    (error: Error) => error.message,
  );
}

/** The error of a start that uses a database. */
async function lateRefusal(...extensions: Extension[]): Promise<string> {
  const database = await createTestDatabase();
  try {
    const app = await createTestApp({ connection: database.connection, extensions });
    await app.close();
    return 'it started';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await database.drop();
  }
}

describe('the error of a root field without a resolver', () => {
  it('names the extension whose SDL added it', async () => {
    const [gift, book] = [sdl('extend type Query { gift: String }', 'first'), sdl('extend type Mutation { book: String }', 'second')];
    const missing = (owner: string, root: string, field: string): string =>
      `Extension ${owner} adds the root field ${root}.${field}, and no class resolves it: a provider with @Resolver() and @${root}() ${field}() is missing`;
    expect(await lateRefusal(tipping(), gift, book)).toBe(missing('first', 'Query', 'gift'));
    expect(await lateRefusal(book, tipping())).toBe(missing('second', 'Mutation', 'book'));
  });
});

describe('the error of a type that no schema defines', () => {
  it.each([
    ['extend type Query {\n  gift: Gift\n}', '2:9', 'Unknown type "Gift". Did you mean "Int"?'],
    ['type Gift { id: ID! }\nextend type Query {\n  gift: Gif\n}', '3:9', 'Unknown type "Gif". Did you mean "Gift", "ID", or "Tip"?'],
    [
      'type Book { id: ID! }\n\nextend type Gift { id: ID! }',
      '3:13',
      'Cannot extend type "Gift" because it is not defined. Did you mean "Int"?',
    ],
  ])('has the extension, the file and the position: %j', async (text, position, reason) => {
    const extension = sdl(text);
    expect(await refusal({}, tipping(), extension)).toBe(
      `The schema of extension acme is not valid SDL at ${extension.schema}:${position}: ${reason}`,
    );
  });
});

@Injectable()
class SharedService implements OnModuleInit {
  onModuleInit(): void {
    throw new Error('boom at start');
  }
}
@Module({ providers: [SharedService] })
class SharedModule {}

@Injectable()
class SoundService {}
@Module({ providers: [SoundService], exports: [SoundService] })
class SoundModule {}

@Injectable()
class NeedyService {
  constructor(
    @Inject(SoundService) readonly sound: SoundService,
    @Inject('ACME_SETTINGS') readonly settings: unknown,
  ) {}
}
@Injectable()
class FailingService implements OnModuleInit {
  constructor(@Inject(SoundService) readonly sound: SoundService) {}

  onModuleInit(): void {
    throw new Error('SoundService has no licence');
  }
}

const FACTORY = { provide: Symbol('shared client'), useFactory: () => Promise.reject(new Error('boom at start')) };
@Module({ providers: [FACTORY] })
class FactoryModule {}

describe('the error of a start with two extensions that share a module', () => {
  @Module({})
  class FirstModule {}
  @Module({})
  class SecondModule {}
  const both = (shared: NonNullable<DynamicModule['imports']>[number], ...own: DynamicModule['providers'] & object): Extension[] => [
    plant({ name: 'first', module: { module: FirstModule, imports: [shared] } }),
    plant({ name: 'second', module: { module: SecondModule, imports: [shared], providers: own } }),
  ];

  it.each([
    ['a hook', SharedModule],
    ['a factory', FactoryModule],
  ])('names both, when %s of that module fails', async (_what, shared) => {
    expect(await lateRefusal(...both(shared))).toBe('Extensions first and second do not start: boom at start');
    expect(await lateRefusal(...both(shared).slice(1))).toBe('Extension second does not start: boom at start');
  });

  it('names the one whose own class fails, though the text names a shared class too', async () => {
    expect(await lateRefusal(...both(SoundModule, NeedyService))).toMatch(/^Extension second does not start: Nest can't resolve/);
    expect(await lateRefusal(...both(SoundModule, FailingService))).toBe('Extension second does not start: SoundService has no licence');
  });

  it('names no second extension, when the error names one', async () => {
    class SoundService1764200000001 implements MigrationInterface {
      up = (): Promise<void> => Promise.reject(new Error('SoundService has no licence'));
      down = (): Promise<void> => Promise.resolve();
    }
    const [first, second] = both(SoundModule) as [Extension, Extension];
    expect(await lateRefusal(first, { ...second, migrations: [SoundService1764200000001] })).toMatch(
      /^Extension second cannot be migrated: /,
    );
  });
});

describe('the error of a migration', () => {
  class Fine1764200000001 implements MigrationInterface {
    up = async (runner: QueryRunner): Promise<void> => void (await runner.query('CREATE TABLE gift (id uuid)'));
    down = (): Promise<void> => Promise.resolve();
  }
  const failing = (up: (runner: QueryRunner) => Promise<unknown>): Extension =>
    plant({
      migrations: [
        Fine1764200000001,
        class Books1764200000002 implements MigrationInterface {
          up = async (runner: QueryRunner): Promise<void> => void (await up(runner));
          down = (): Promise<void> => Promise.resolve();
        },
      ],
    });

  it('names its class, and the line of a statement that PostgreSQL refuses', async () => {
    const statement = '\n  CREATE TABLE book (id uuid);\n  CREATE TABEL page (id uuid);\n';
    expect(await lateRefusal(failing((runner) => runner.query(statement)))).toBe(
      'Extension acme cannot be migrated: Books1764200000002: syntax error at or near "TABEL", in line 3 of its statement: CREATE TABEL page (id uuid);',
    );
  });

  it('names its class without a line, when there is none', async () => {
    expect(await lateRefusal(failing(() => Promise.reject(new Error('no books left'))))).toBe(
      'Extension acme cannot be migrated: Books1764200000002: no books left',
    );
  });

  it('names no class for what the migrations did together', async () => {
    expect(await lateRefusal(failing((runner) => runner.query('ALTER TABLE wallet ADD COLUMN colour text')))).toMatch(
      /^Extension acme cannot be migrated: its migrations may not touch the table "wallet"/,
    );
  });
});

describe('the error of a setting', () => {
  class Stray {
    @IsInt() @Min(1) GIFTS = 1;
  }

  it('is that of its name, before that of its value', async () => {
    const rule = 'Extension acme must not read the variable GIFTS: its variables must start with "ACME_" and not be Sluice\'s own';
    expect(await refusal({ GIFTS: 'few' }, plant({ settings: Stray }))).toBe(rule);
    expect(await refusal({ GIFTS: 'few', PORT: 'few' }, plant({ settings: Stray }))).toBe(rule);
  });

  it('comes after that of the extension’s name', async () => {
    expect(await refusal({ GIFTS: 'few' }, plant({ name: 'Acme', settings: Stray }))).toMatch(/^Invalid extension name "Acme"/);
  });
});
