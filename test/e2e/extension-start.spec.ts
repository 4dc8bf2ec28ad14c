import { Get, Injectable, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { Column, Entity } from 'typeorm';
import { Jobs, PageController, Scopes, type Extension } from '../../src/index.js';
import { createTestApp } from '../../src/testing/index.js';
import { createTestDatabase } from '../support/database.js';
import { tipping } from '../extensions/tipping/tipping.extension.js';

@Module({})
class EmptyModule {}

@Entity({ name: 'keyless', schema: 'acme' })
class KeylessEntity {
  @Column('text')
  note!: string;
}

@PageController('gifts')
class CarelessPages {
  @Get()
  @Scopes('read')
  show(): string {
    return 'gifts';
  }
}

@Injectable()
class HastyService implements OnModuleInit {
  constructor(private readonly jobs: Jobs) {}

  onModuleInit(): void {
    this.jobs.task('acme.mail', async () => undefined, { limitSeconds: 0 });
  }
}

/** Beside another extension, so that the name in the sentence is not the only one. */
async function refusal(mistake: Partial<Extension>): Promise<string> {
  const database = await createTestDatabase();
  try {
    const acme: Extension = { name: 'acme', module: EmptyModule, ...mistake };
    const app = await createTestApp({ connection: database.connection, extensions: [tipping(), acme] });
    await app.close();
    return 'it started';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await database.drop();
  }
}
const moduleOf = (parts: Omit<DynamicModule, 'module'>): Partial<Extension> => ({ module: { module: EmptyModule, ...parts } });
const PATTERN = ['dist/*.js'] as never[];

describe('the start is refused, with the name of the extension', () => {
  it.each<[what: string, mistake: Partial<Extension>, sentence: string]>([
    ['a pattern of files as entities', { entities: PATTERN }, 'Extension acme must list its entities as classes, not as "dist/*.js"'],
    [
      'an entity that TypeORM refuses',
      { entities: [KeylessEntity] },
      'Extension acme does not start: Entity "KeylessEntity" does not have a primary column',
    ],
    [
      'a page with a rule of programs',
      moduleOf({ controllers: [CarelessPages] }),
      'Extension acme does not start: Handlers without a valid access rule:\n  CarelessPages.show: a page takes @PageSession(), @Operator() or @Public()',
    ],
    [
      'a task without time',
      moduleOf({ providers: [HastyService] }),
      'Extension acme does not start: The task acme.mail needs at least a second: its limitSeconds is 0',
    ],
  ])('for %s', async (_what, mistake, sentence) => {
    expect((await refusal(mistake)).slice(0, sentence.length)).toBe(sentence);
  });
});
