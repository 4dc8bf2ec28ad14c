import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Controller,
  Get,
  Global,
  Inject,
  Injectable,
  Module,
  type CanActivate,
  type DynamicModule,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { Args, Mutation, Query, ResolveField, Resolver, Scalar } from '@nestjs/graphql';
import { ChildEntity, Column, Entity, PrimaryColumn } from 'typeorm';
import * as surface from '../../src/index.js';
import { Public, Scopes, UserService, type Extension, type ScopeDefinition } from '../../src/index.js';
import { versionOfSluice } from '../../src/config/index.js';
import { createTestApp } from '../../src/testing/index.js';
import { createTestDatabase } from '../support/database.js';
import { EmptyModule, plant, refusal } from '../support/refused-extension.js';
import { tipping } from '../extensions/tipping/tipping.extension.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-extension-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(text: string): string {
  const path = join(folder, `${++files}.graphql`);
  writeFileSync(path, text);
  return path;
}

/** Classes of the public surface that are not injected: modules, errors. */
const NO_TOKENS = new Set(
  'CommandError ConfigError CoreModule Form InvalidInput PageError PaymentPolicy PriceSource UsageError'.split(' '),
);

const TOKENS = Object.entries(surface).flatMap(([name, value]): [string, Type][] =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value)) && !NO_TOKENS.has(name)
    ? [[name, value as Type]]
    : [],
);

const sdl = (text: string): Extension => plant({ schema: file(text) });
const moduleOf = (...providers: NonNullable<DynamicModule['providers']>): Extension =>
  plant({ module: { module: EmptyModule, providers } });
const scope = (name: string): ScopeDefinition => ({ name, title: 'Do things', consequence: 'Things are done' });

describe('an extension is refused for its name', () => {
  it.each(['Acme', 'a', '-acme', 'acme-', 'ac--me', 'ac_me', 'ac me', '1acme', '', 'a'.repeat(33)])('%j', async (name) => {
    expect(await refusal(plant({ name }))).toBe(
      `Invalid extension name "${name}": use 2 to 32 lower-case letters and digits, separated by single dashes`,
    );
  });

  it.each(['simulator', 'public', 'information-schema', 'pg-catalog'])('%s, which a schema of the database has', async (name) => {
    expect(await refusal(plant({ name }))).toBe(`Invalid extension name "${name}": the database has a schema of this name`);
  });

  it('that another extension has, or nearly has', async () => {
    expect(await refusal(plant(), plant())).toBe('Two extensions are named acme');
    const sentence = 'Extensions acme and acme-jar have overlapping prefixes of variables: rename one';
    expect(await refusal(plant(), plant({ name: 'acme-jar' }))).toBe(sentence);
  });
});

describe('an extension is refused for its range of versions', () => {
  const version = versionOfSluice();
  const [major = 0, minor = 0] = version.split('.').map(Number);

  it('that this Sluice is not in', async () => {
    for (const range of [`^${major + 1}`, `<${version}`, `>=${major}.${minor + 1}`])
      expect(await refusal(plant({ sluice: range }))).toBe(
        `Extension acme is made for Sluice ${range}, and this is Sluice ${version}: install versions that fit`,
      );
  });

  it('that cannot be read', async () => {
    expect(await refusal(plant({ sluice: 'latest' }))).toBe(
      'Extension acme gives "latest" as its versions of Sluice: write a range such as ^0.2 or >=0.2 <0.4',
    );
  });

  it('before anything else, so that a range with this one in it comes to the next rule', async () => {
    const broken = sdl('extend type Query { me: String }');
    expect(await refusal({ ...broken, sluice: `^${major + 1}` })).toMatch(/is made for Sluice/);
    expect(await refusal({ ...broken, sluice: `^${major}.${minor}` })).toMatch(/must not change the API/);
  });
});

describe('an extension is refused for SDL that', () => {
  it.each<[what: string, text: string, sentence: string]>([
    ['changes a field', 'extend type Query { me: String }', 'Field "Query.me" already exists in the schema'],
    ['defines a type of the core anew', 'type Transaction { id: ID! }', 'Type "Transaction" already exists in the schema'],
    ['defines a scalar of the core anew', 'scalar SatAmount', 'Type "SatAmount" already exists in the schema'],
    ['adds a required field to an input', 'extend input LnInvoiceCreateInput { tune: String! }', 'tune'],
    ['adds a field to an input of the core, which no resolver would read', 'extend input LnInvoiceCreateInput { tune: String }', 'tune'],
    ['adds a value to an enum', 'extend enum WalletCurrency { EUR }', 'EUR was added to enum type WalletCurrency'],
    ['adds a scope to the enum', 'extend enum Scope { TIPPING }', 'TIPPING was added to enum type Scope'],
    ['adds a member to a union', 'type Gift { id: ID! } extend union UserUpdate = Gift', 'Gift was added to union type UserUpdate'],
    ['adds a field to an interface', 'extend interface Wallet { colour: String }', 'BTCWallet does not provide it'],
    ['adds an interface to a type', 'interface Gift { id: ID! } extend type Transaction implements Gift', 'Gift added to interfaces'],
    ['gives the API another root', 'type Other { id: ID! } extend schema { query: Other }', 'query'],
  ])('%s', async (_what, text, sentence) => {
    const said = await refusal(sdl(text));
    expect(said).toMatch(/^Extension acme must not change the API: [^\n]+$/);
    expect(said).toContain(sentence);
  });

  it('does not parse, with its position', async () => {
    expect(await refusal(sdl('extend type Query {\n  tune: }\n'))).toMatch(
      /^The schema of extension acme is not valid SDL at .*\.graphql:2:9: Syntax Error: Expected Name, found "}"\.$/,
    );
  });

  it('does not exist, or has no path', async () => {
    const missing = join(folder, 'missing.graphql');
    expect(await refusal(plant({ schema: missing }))).toMatch(/^The schema of extension acme cannot be read: ENOENT.*missing\.graphql/);
    expect(await refusal(plant({ schema: 'acme.graphql' }))).toBe(
      'Extension acme must give its schema as an absolute path, not as acme.graphql',
    );
  });

  it('changes another extension', async () => {
    const [first, second] = ['type Gift { id: ID! }', 'extend type Gift { id: Int! }'].map(sdl);
    expect(await refusal({ ...first, name: 'first' } as Extension, { ...second, name: 'second' } as Extension)).toContain(
      'Extension second must not change the API: Field "Gift.id" already exists',
    );
  });
});

describe('an extension is refused for a scope that', () => {
  it.each([
    ['keys', 'Extension acme must not define the scope "keys": it already exists'],
    ['read', 'Extension acme must not define the scope "read": it already exists'],
    ['gifts', 'Extension acme must not define the scope "gifts": its scopes must start with "acme:"'],
    ['other:gifts', 'Extension acme must not define the scope "other:gifts": its scopes must start with "acme:"'],
    ['acme:', 'Extension acme must not define the scope "acme:": its scopes must start with "acme:"'],
    ['acme:Gifts', 'Extension acme defines the scope "acme:Gifts": use lower-case letters, digits, _ : -'],
    ['acme:my gifts', 'Extension acme defines the scope "acme:my gifts": use lower-case letters, digits, _ : -'],
  ])('is called %j', async (name, sentence) => {
    expect(await refusal(plant({ scopes: [scope(name)] }))).toBe(sentence);
  });

  it('is granted along with others', async () => {
    expect(await refusal(plant({ scopes: [{ ...scope('acme:gifts'), implicit: true }] }))).toBe(
      'Extension acme must not define the scope "acme:gifts" as implicit: scopes of extensions require consent',
    );
  });

  it('exists already', async () => {
    expect(await refusal(plant({ scopes: [scope('acme:gifts'), scope('acme:gifts')] }))).toBe(
      'Extension acme must not define the scope "acme:gifts": it already exists',
    );
  });
});

@Controller('acme')
class AcmeController {
  @Get('gifts')
  @Public()
  gifts(): string {
    return 'gifts';
  }
}

describe('an extension is refused for a menu entry', () => {
  const listing = (href: `/${string}`, label = 'Gifts'): Promise<string> =>
    refusal(plant({ menu: [{ href, label }], module: { module: EmptyModule, controllers: [AcmeController] } }));

  it('that leads to no page of its own', async () => {
    expect(await listing('/dashboard/keys')).toBe(
      'Extension acme must not list /dashboard/keys in "menu": none of its controllers serves it',
    );
    expect(await listing('//evil.example')).toBe(
      'Extension acme must not list //evil.example in "menu": none of its controllers serves it',
    );
  });

  it.each(['', ' ', 'x'.repeat(31)])('with the label %j', async (label) => {
    expect(await listing('/acme/gifts', label)).toBe(
      `Extension acme lists /acme/gifts in "menu" with the label "${label}": use 1 to 30 characters`,
    );
  });
});

@Entity('wallet')
class TakenEntity {
  @PrimaryColumn('uuid') id!: string;
}
@Entity('acme_gift')
class UnplacedEntity {
  @PrimaryColumn('uuid') id!: string;
}
@Entity()
class Nameless {
  @PrimaryColumn('uuid') id!: string;
}
@Entity({ name: 'gift', schema: 'simulator' })
class ElsewhereEntity {
  @PrimaryColumn('uuid') id!: string;
}
@ChildEntity()
class AcmeChild extends TakenEntity {
  @Column('text') colour!: string;
}
class Undecorated {}

describe('an extension is refused for an entity', () => {
  const refusalFor = (entity: string): string =>
    `Extension acme must not map ${entity} to a table outside its schema: write @Entity({ name: …, schema: 'acme' })`;
  it.each<[Type, string]>([
    [TakenEntity, refusalFor('TakenEntity')],
    [UnplacedEntity, refusalFor('UnplacedEntity')],
    [Nameless, refusalFor('Nameless')],
    [ElsewhereEntity, refusalFor('ElsewhereEntity')],
    [AcmeChild, refusalFor('AcmeChild')],
    [Undecorated, 'Extension acme lists the entity Undecorated, which has no @Entity()'],
  ])('%p', async (entity, sentence) => {
    expect(await refusal(plant({ entities: [entity] }))).toBe(sentence);
  });
});

@Resolver()
class MeResolver {
  @Query()
  @Public()
  me(): null {
    return null;
  }
}
@Resolver('Query')
class BareRootResolver {
  @Public()
  globals(): null {
    return null;
  }
}
@Resolver()
class RenamedResolver {
  @Mutation('lnInvoiceCreate')
  @Public()
  create(): null {
    return null;
  }
}
@Resolver('Transaction')
class MemoResolver {
  @ResolveField()
  memo(): string {
    return 'ours now';
  }
}
@Resolver('Wallet')
class WalletTypeResolver {
  @ResolveField('__resolveType')
  type(): string {
    return 'BTCWallet';
  }
}
@Resolver()
class StrayResolver {
  @Query()
  @Public()
  stray(): null {
    return null;
  }
}
@Resolver()
class InheritedResolver extends MeResolver {}
@Scalar('SatAmount')
class AmountScalar {
  parseValue = (value: unknown): unknown => value;
  serialize = (value: unknown): unknown => value;
  parseLiteral = (): unknown => null;
}
@Injectable()
class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}
@Module({ providers: [{ provide: APP_GUARD, useClass: OpenGuard }] })
class HiddenModule {}
@Module({ imports: [{ forwardRef: () => HiddenModule }] })
class HidingModule {}
@Controller()
class ResolvingController {
  @Query('me')
  @Public()
  me(): null {
    return null;
  }
}

describe('an extension is refused for a module that', () => {
  const notOwn = (what: string, where: string): string => `Extension acme must not resolve ${what}: it is not its own (${where})`;
  const global = (token: string): string =>
    `Extension acme must not provide ${token}: global APP_* providers are not allowed in extensions`;

  it.each<[what: string, extension: Extension, sentence: string]>([
    ['resolves a query', moduleOf(MeResolver), notOwn('Query.me', 'MeResolver')],
    ['resolves a root field without saying so', moduleOf(BareRootResolver), notOwn('Query.globals', 'BareRootResolver')],
    ['resolves a mutation by another name', moduleOf(RenamedResolver), notOwn('Mutation.lnInvoiceCreate', 'RenamedResolver')],
    ['resolves a field of a type', moduleOf(MemoResolver), notOwn('Transaction.memo', 'MemoResolver')],
    ['says what a value of an interface is', moduleOf(WalletTypeResolver), notOwn('Wallet.__resolveType', 'WalletTypeResolver')],
    ['inherits such a method', moduleOf(InheritedResolver), notOwn('Query.me', 'InheritedResolver')],
    ['provides it by class', moduleOf({ provide: 'x', useClass: MeResolver }), notOwn('Query.me', 'MeResolver')],
    ['provides it ready made', moduleOf({ provide: 'x', useValue: new MeResolver() }), notOwn('Query.me', 'MeResolver')],
    ['has it made', moduleOf({ provide: MeResolver, useFactory: () => new MeResolver() }), notOwn('Query.me', 'MeResolver')],
    ['reads a scalar', moduleOf(AmountScalar), 'Extension acme must not define the scalar SatAmount: it is not its own (AmountScalar)'],
    [
      'resolves what is not in its SDL',
      moduleOf(StrayResolver),
      'Extension acme resolves Query.stray, which is not in its schema (StrayResolver)',
    ],
    [
      'does so in a controller',
      plant({ module: { module: EmptyModule, controllers: [ResolvingController] } }),
      notOwn('Query.me', 'ResolvingController'),
    ],
    ['guards everything', moduleOf({ provide: APP_GUARD, useClass: OpenGuard }), global('APP_GUARD')],
    ['pipes everything', moduleOf({ provide: APP_PIPE, useValue: {} }), global('APP_PIPE')],
    ['filters everything', moduleOf({ provide: APP_FILTER, useValue: {} }), global('APP_FILTER')],
    ['intercepts everything', moduleOf({ provide: APP_INTERCEPTOR, useValue: {} }), global('APP_INTERCEPTOR')],
    ['hides that in another', plant({ module: HidingModule }), global('APP_GUARD')],
    [
      'hides that in one with options',
      plant({ module: { module: EmptyModule, imports: [{ module: HidingModule }] } }),
      global('APP_GUARD'),
    ],
  ])('%s', async (_what, extension, sentence) => {
    expect(await refusal(extension)).toBe(sentence);
  });

  it.each(TOKENS)('provides %s of the public surface in place of the core’s', async (name, token) => {
    @Global()
    @Module({ providers: [{ provide: token, useValue: {} }], exports: [token] })
    class ThiefModule {}
    const sentence = `Extension acme must not provide ${name}: Sluice provides it. Import CoreModule and inject it; pass a Lightning back end to createApp`;
    expect(await refusal(plant({ module: ThiefModule }))).toBe(sentence);
    expect(await refusal(plant({ module: { module: EmptyModule, imports: [ThiefModule] } }))).toBe(sentence);
  });

  it('lists a service of the core among its providers', async () => {
    expect(await refusal(moduleOf(UserService))).toMatch(/^Extension acme must not provide UserService: /);
  });

  it('resolves a field of another extension', async () => {
    @Resolver('Transaction')
    class TipResolver {
      @ResolveField()
      isTip(): boolean {
        return true;
      }
    }
    expect(await refusal(tipping(), moduleOf(TipResolver))).toBe(notOwn('Transaction.isTip', 'TipResolver'));
  });

  it('resolves a field of its own twice: the later class would silently win', async () => {
    @Resolver()
    class GiftResolver {
      @Query()
      @Public()
      gift(): string {
        return 'a book';
      }
    }
    @Resolver('Query')
    class OtherResolver {
      @Query('gift')
      @Public()
      another(): string {
        return 'a pen';
      }
    }
    const mistake = { ...sdl('extend type Query { gift: String }'), module: moduleOf(GiftResolver, OtherResolver).module };
    expect(await refusal(mistake)).toBe('Extension acme must not resolve Query.gift twice: GiftResolver does (OtherResolver)');
  });

  it('guards fields of others, or uses an unknown scope', async () => {
    expect(await refusal(plant({ reveals: { Transaction: 'read' } }))).toBe(
      'Extension acme must not name Transaction in "reveals": the type is not its own',
    );
    for (const field of ['Transaction.memo', 'Transaction.none', 'Missing.field', 'Query.gift'])
      expect(await refusal(plant({ ...sdl('extend type Query { gift: String }'), reveals: { [field]: 'read' } }))).toBe(
        `Extension acme must not name ${field} in "reveals": the field is not its own`,
      );
    expect(await refusal(plant({ ...sdl('type Gift { id: ID! }'), reveals: { Gift: 'acme:gifts' } }))).toBe(
      'Extension acme sets the scope "acme:gifts" for Gift in "reveals", but there is no such scope',
    );
  });
});

@Resolver('Transaction')
class CarelessResolver {
  @Query()
  gift(): string {
    return 'a book';
  }

  @Mutation()
  @Scopes('acme:gist')
  giftGive(@Args('to') to: string): string {
    return to;
  }

  @ResolveField()
  @Scopes('read')
  isGift(): boolean {
    return false;
  }
}

@Injectable()
class BrokenService implements OnModuleInit {
  async onModuleInit(): Promise<void> {
    throw new Error('the price list is empty');
  }
}

@Injectable()
class NeedyService {
  constructor(@Inject('ACME_SETTINGS') readonly settings: unknown) {}
}

@Module({})
class ThrowingModule implements OnModuleInit {
  onModuleInit(): void {
    throw new Error('boom at start');
  }
}

/** As of a library that calls back: no frame of the caller is in the stack. */
@Injectable()
class FarService implements OnModuleInit {
  onModuleInit(): Promise<void> {
    return Promise.reject(
      Object.assign(new Error('boom at start'), { stack: 'Error: boom at start\n    at Socket.emit (node:events:1:1)' }),
    );
  }
}

@Injectable()
class WordService implements OnModuleInit {
  onModuleInit(): Promise<void> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what a careless library does
    return Promise.reject('boom at start');
  }
}

const NAMELESS = (() =>
  class {
    onModuleInit(): void {
      throw new Error('boom at start');
    }
  })();

class LateService {
  onApplicationBootstrap(): void {
    throw new Error('boom at start');
  }
}

/** Only a factory creates it. */
class HiddenService implements OnModuleInit {
  onModuleInit(): void {
    throw new Error('no connection');
  }
}

/** Its module does not import CoreModule. */
@Injectable()
class ForgetfulService {
  constructor(@Inject(UserService) readonly users: UserService) {}
}

@Controller('acme/.well-known')
class OwnController {
  @Get('jwks.json')
  @Public()
  live(): string {
    return 'ours';
  }
}

function fail(reason: unknown): never {
  throw reason;
}

describe('an extension is refused at the end of the start', () => {
  /** Start-up refuses this late only after it has used the database; it leaves the database unchanged. */
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

  it('for handlers without a rule, with an unknown scope, or with a rule that no guard reads', async () => {
    const schema = file(
      'extend type Query { gift: String! } extend type Mutation { giftGive(to: String!): String! } extend type Transaction { isGift: Boolean! }',
    );
    const said = await lateRefusal(plant({ schema, module: { module: EmptyModule, providers: [CarelessResolver] } }));
    expect(said.split('\n  ')).toEqual([
      'Extension acme does not start: Handlers without a valid access rule:',
      'CarelessResolver.gift: none of @Scopes(), @Public(), @SessionOnly(), @AnyCredential(), @PageSession()',
      'CarelessResolver.giftGive: there is no scope "acme:gist"',
      'CarelessResolver.isGift: an access rule has no effect on a nested field; the type that it leads to is guarded',
    ]);
  });

  it.each([
    ['Query', 'extend type Query { gift: String }'],
    ['Mutation', 'extend type Mutation { gift: String }'],
    ['Subscription', 'extend type Subscription { gift: String }'],
  ])('for a %s without a resolver', async (root, text) => {
    expect(await lateRefusal(sdl(text))).toBe(
      `Extension acme adds the root field ${root}.gift, and no class resolves it: a provider with @Resolver() and @${root}() gift() is missing`,
    );
  });

  it('for a required field on a type of the core without a resolver', async () => {
    const bare = (field: string): string =>
      `Extension acme adds the required field ${field}, and no class resolves it: a provider with @Resolver('Transaction') and @ResolveField() isGift() is missing`;
    expect(await lateRefusal(sdl('extend type Transaction { isGift: Boolean! }'))).toBe(bare('Transaction.isGift'));
    // Null is an answer that the schema permits, and a row of the extension's own type may have the field.
    expect(await lateRefusal(sdl('extend type Transaction { gift: Gift } type Gift { id: ID! }'))).toBe('it started');
  });

  it('and named, when it throws', async () => {
    expect(await lateRefusal(tipping(), moduleOf(BrokenService))).toBe('Extension acme does not start: the price list is empty');
    expect(await lateRefusal(tipping(), moduleOf(NeedyService))).toMatch(/^Extension acme does not start: Nest can't resolve dependencies/);
  });

  it.each<[what: string, useFactory: () => unknown, reason: string]>([
    ['at once', () => fail(new Error('ACME_KEY is not set')), 'ACME_KEY is not set'],
    ['later', async () => fail(new Error('ACME_KEY is not set')), 'ACME_KEY is not set'],
    ['with no error', () => fail('ACME_KEY is not set'), 'ACME_KEY is not set'],
    ['in what it made', () => new HiddenService(), 'no connection'],
  ])('and named, when one of its factories throws %s', async (_what, useFactory, reason) => {
    const extension = moduleOf({ provide: Symbol('acme client'), useFactory });
    for (const _start of ['the first', 'the second of the same process'])
      expect(await lateRefusal(tipping(), extension)).toBe(`Extension acme does not start: ${reason}`);
  });

  it.each<[what: string, module: Type | DynamicModule]>([
    ['a module', ThrowingModule],
    ['a module with options', { module: ThrowingModule }],
    ['a module that it imports', { module: EmptyModule, imports: [ThrowingModule] }],
    ['a provider, with an error whose stack does not name it', { module: EmptyModule, providers: [FarService] }],
    ['a provider, with no error', { module: EmptyModule, providers: [WordService] }],
    ['a provider of a class without a name', { module: EmptyModule, providers: [{ provide: 'x', useClass: NAMELESS }] }],
    ['a value', { module: EmptyModule, providers: [{ provide: 'x', useValue: new LateService() }] }],
  ])('and named, when %s throws in a hook', async (_what, module) => {
    expect(await lateRefusal(tipping(), plant({ module }))).toBe('Extension acme does not start: boom at start');
  });

  it('and asked to import CoreModule, when it injects a service of the core without it', async () => {
    expect(await lateRefusal(tipping(), moduleOf(ForgetfulService))).toMatch(
      /^Extension acme does not start: .*UserService at index \[0\][^]*\nUserService is a service of the core: import CoreModule into the module that injects it\.$/,
    );
  });

  it('not for its own path', async () => {
    expect(await lateRefusal(plant({ module: { module: EmptyModule, controllers: [OwnController] } }))).toBe('it started');
  });
});
