import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  Post,
  type CanActivate,
  type DynamicModule,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Args, Mutation, Query, ResolveField, Resolver, Scalar } from '@nestjs/graphql';
import { IsInt, Min } from 'class-validator';
import { ChildEntity, Column, Entity, PrimaryColumn } from 'typeorm';
import {
  createApp,
  IdentityProvider,
  LightningBackend,
  MailTransport,
  PaymentPolicy,
  PriceSource,
  Public,
  Scopes,
  UserService,
  type Extension,
  type ScopeDefinition,
} from '../../src/index.js';
import { versionOfSluice } from '../../src/platform/config/index.js';
import { createTestApp } from '../../src/testing/index.js';
import { createTestDatabase } from '../support/database.js';
import { AcmeBackend } from '../extensions/acme/acme.backend.js';
import { tipping } from '../extensions/tipping/tipping.extension.js';

const folder = mkdtempSync(join(tmpdir(), 'sluice-extension-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(text: string): string {
  const path = join(folder, `${++files}.graphql`);
  writeFileSync(path, text);
  return path;
}

@Module({})
class EmptyModule {}

/** An extension with a fault that the test adds. */
const plant = (more: Partial<Extension> = {}): Extension => ({ name: 'acme', module: EmptyModule, ...more });
const sdl = (text: string): Extension => plant({ schema: file(text) });
const moduleOf = (...providers: NonNullable<DynamicModule['providers']>): Extension =>
  plant({ module: { module: EmptyModule, providers } });
const scope = (name: string): ScopeDefinition => ({ name, title: 'Do things', consequence: 'Things are done' });

const messageOf = (started: Promise<unknown>): Promise<string> =>
  started.then(
    () => 'it started',
    (error: Error) => error.message,
  );

/** The start fails before it opens anything: no database exists at this address. */
const refusal = (extensions: readonly Extension[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  messageOf(
    createApp({
      env: { LOG_LEVEL: 'silent', SECRET_KEY: 'x'.repeat(32), ...env },
      connection: { host: join(folder, 'nowhere') },
      extensions: [...extensions],
    }),
  );

/** The start fails after it has used the database. */
async function lateRefusal(...extensions: Extension[]): Promise<string> {
  const database = await createTestDatabase();
  try {
    return await messageOf(createTestApp({ connection: database.connection, extensions }).then((app) => app.close()));
  } finally {
    await database.drop();
  }
}

const [major = 0, minor = 0] = versionOfSluice().split('.').map(Number);

class OwnSettings {
  @IsInt() @Min(1) ACME_GIFTS = 1;
}

class StraySettings {
  @IsInt() @Min(1) GIFTS = 1;
}

@Entity('wallet')
class TakenEntity {
  @PrimaryColumn('uuid') id!: string;
}
@ChildEntity()
class AcmeChild extends TakenEntity {
  @Column('text') colour!: string;
}
class Undecorated {}

@Controller('acme')
class AcmeController {
  @Get('gifts')
  @Public()
  gifts(): string {
    return 'gifts';
  }
}
/** A controller with one handler. */
function at(base: string, path: string): Extension {
  @Controller(base)
  class TakenController {
    @Post(path)
    @Public()
    answer(): string {
      return 'ours now';
    }
  }
  return plant({ module: { module: EmptyModule, controllers: [TakenController] } });
}
abstract class Answering {
  @Get('live')
  @Public()
  answer(): string {
    return 'ours now';
  }
}
@Controller('health')
class HeirController extends Answering {}

@Resolver()
class MeResolver {
  @Query()
  @Public()
  me(): null {
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

@Resolver()
class GiftResolver {
  @Query()
  @Public()
  gift(): string {
    return 'a book';
  }
}
@Resolver('Query')
class OtherGiftResolver {
  @Query('gift')
  @Public()
  another(): string {
    return 'a pen';
  }
}
@Resolver('Transaction')
class TipResolver {
  @ResolveField()
  isTip(): boolean {
    return true;
  }
}

class OwnPrice extends PriceSource {
  findQuote = (): Promise<undefined> => Promise.resolve(undefined);
}
class OwnIdentity extends IdentityProvider {
  readonly name = 'Acme';
  start = (): Promise<{ kind: 'refused'; reason: 'denied' }> => Promise.resolve({ kind: 'refused', reason: 'denied' });
}
class OwnMail extends MailTransport {
  send = (): Promise<void> => Promise.resolve();
}
class OwnPolicy extends PaymentPolicy {
  findVeto = (): Promise<undefined> => Promise.resolve(undefined);
}

const GIFT = 'extend type Query { gift: String }';
const menu = (href: `/${string}`, label: string): Extension =>
  plant({ menu: [{ href, label }], module: { module: EmptyModule, controllers: [AcmeController] } });
const notOwn = (what: string, where: string): string => `Extension acme must not resolve ${what}: it is not its own (${where})`;
const global = (token: string): string => `Extension acme must not provide ${token}: global APP_* providers are not allowed in extensions`;
const api = (fault: string): string => `Extension acme must not change the API: ${fault}`;
const outside = (entity: string): string =>
  `Extension acme must not map ${entity} to a table outside its schema: write @Entity({ name: …, schema: 'acme' })`;
const notScope = (name: string): string => `Extension acme must not define the scope "${name}"`;

/** The sentence of a refusal begins with the third column, or contains it for SDL, whose faults graphql-js describes. */
const REFUSALS: readonly (readonly [what: string, extensions: readonly Extension[], sentence: string])[] = [
  ...['Acme', 'ac--me', 'a'.repeat(33)].map(
    (name) => [`the name ${JSON.stringify(name)}`, [plant({ name })], `Invalid extension name "${name}": use 2 to 32 lower-case`] as const,
  ),
  ...['simulator', 'pg-catalog'].map(
    (name) => [`the name ${name}`, [plant({ name })], `Invalid extension name "${name}": the database has a schema of this name`] as const,
  ),
  ['the name of another extension', [plant(), plant()], 'Two extensions are named acme'],
  [
    'a name whose variables could be another extension’s',
    [plant(), plant({ name: 'acme-jar' })],
    'Extensions acme and acme-jar have overlapping prefixes of variables: rename one',
  ],
  ['a newer Sluice', [plant({ sluice: `^${major + 1}` })], `Extension acme is made for Sluice ^${major + 1}, and this is Sluice `],
  ['a range that cannot be read', [plant({ sluice: 'latest' })], 'Extension acme gives "latest" as its versions of Sluice: write a range'],
  [
    'a range with this version, and then the next fault',
    [{ ...sdl('extend type Query { me: String }'), sluice: `^${major}.${minor}` }],
    api('Field "Query.me"'),
  ],
  ['SDL that changes a field', [sdl('extend type Query { me: String }')], 'Field "Query.me" already exists in the schema'],
  ['SDL that defines a type of the core anew', [sdl('type Transaction { id: ID! }')], 'Type "Transaction" already exists in the schema'],
  ['SDL that adds a required field to an input', [sdl('extend input LnInvoiceCreateInput { tune: String! }')], 'tune'],
  ['SDL that adds a value to an enum', [sdl('extend enum WalletCurrency { EUR }')], 'EUR was added to enum type WalletCurrency'],
  [
    'SDL that adds a member to a union',
    [sdl('type Gift { id: ID! } extend union UserUpdate = Gift')],
    'Gift was added to union type UserUpdate',
  ],
  ['SDL that adds a field to an interface', [sdl('extend interface Wallet { colour: String }')], 'BTCWallet does not provide it'],
  [
    'SDL that adds an interface to a type',
    [sdl('interface Gift { id: ID! } extend type Transaction implements Gift')],
    'Gift added to interfaces',
  ],
  ['SDL that gives the API another root', [sdl('type Other { id: ID! } extend schema { query: Other }')], 'query'],
  ['SDL with a type that no schema defines', [sdl('extend type Query { gift: Gift }')], api('Unknown type "Gift"')],
  [
    'SDL that does not parse',
    [sdl('extend type Query {\n  tune: }\n')],
    'The schema of extension acme is not valid SDL: Syntax Error: Expected Name',
  ],
  ['SDL that does not exist', [plant({ schema: join(folder, 'missing.graphql') })], 'The schema of extension acme cannot be read: ENOENT'],
  [
    'SDL without an absolute path',
    [plant({ schema: 'acme.graphql' })],
    'Extension acme must give its schema as an absolute path, not as acme.graphql',
  ],
  [
    'SDL that changes another extension',
    [{ ...sdl('type Gift { id: ID! }'), name: 'first' }, sdl('extend type Gift { id: Int! }')],
    api('Field "Gift.id" already exists'),
  ],
  ['a scope of the core', [plant({ scopes: [scope('read')] })], `${notScope('read')}: it already exists`],
  ['a scope without its prefix', [plant({ scopes: [scope('gifts')] })], `${notScope('gifts')}: its scopes must start with "acme:"`],
  ['a scope with capitals', [plant({ scopes: [scope('acme:Gifts')] })], 'Extension acme defines the scope "acme:Gifts": use lower-case'],
  ['a scope twice', [plant({ scopes: [scope('acme:gifts'), scope('acme:gifts')] })], `${notScope('acme:gifts')}: it already exists`],
  ['a scope without consent', [plant({ scopes: [{ ...scope('acme:gifts'), implicit: true }] })], `${notScope('acme:gifts')} as implicit`],
  [
    'a menu entry that leads to no page of its own',
    [menu('/dashboard/keys', 'Gifts')],
    'Extension acme must not list /dashboard/keys in "menu": none of its controllers serves it',
  ],
  [
    'a menu entry without a label',
    [menu('/acme/gifts', ' ')],
    'Extension acme lists /acme/gifts in "menu" with the label " ": use 1 to 30',
  ],
  ['an entity of a table of the core', [plant({ entities: [TakenEntity] })], outside('TakenEntity')],
  ['an entity whose rows are in another’s table', [plant({ entities: [AcmeChild] })], outside('AcmeChild')],
  [
    'an entity without @Entity()',
    [plant({ entities: [Undecorated] })],
    'Extension acme lists the entity Undecorated, which has no @Entity()',
  ],
  [
    'a pattern of files as migrations',
    [plant({ migrations: ['dist/*.js'] as never[] })],
    'Extension acme must list its migrations as classes, not as "dist/*.js"',
  ],
  [
    'a setting without its prefix',
    [plant({ settings: StraySettings })],
    'Extension acme must not read the variable GIFTS: its variables must start with "ACME_" and not be Sluice\'s own',
  ],
  ['a module that resolves a query', [moduleOf(MeResolver)], notOwn('Query.me', 'MeResolver')],
  ['a module that resolves a mutation by another name', [moduleOf(RenamedResolver)], notOwn('Mutation.lnInvoiceCreate', 'RenamedResolver')],
  ['a module that resolves a field of a type', [moduleOf(MemoResolver)], notOwn('Transaction.memo', 'MemoResolver')],
  [
    'a module that says what a value of an interface is',
    [moduleOf(WalletTypeResolver)],
    notOwn('Wallet.__resolveType', 'WalletTypeResolver'),
  ],
  ['a module that inherits such a method', [moduleOf(InheritedResolver)], notOwn('Query.me', 'InheritedResolver')],
  ['a module that has it made', [moduleOf({ provide: MeResolver, useFactory: () => new MeResolver() })], notOwn('Query.me', 'MeResolver')],
  [
    'a module that reads a scalar',
    [moduleOf(AmountScalar)],
    'Extension acme must not define the scalar SatAmount: it is not its own (AmountScalar)',
  ],
  [
    'a module that resolves what is not in its SDL',
    [moduleOf(StrayResolver)],
    'Extension acme resolves Query.stray, which is not in its schema (StrayResolver)',
  ],
  [
    'a module that does so in a controller',
    [plant({ module: { module: EmptyModule, controllers: [ResolvingController] } })],
    notOwn('Query.me', 'ResolvingController'),
  ],
  ['a module that guards everything', [moduleOf({ provide: APP_GUARD, useClass: OpenGuard })], global('APP_GUARD')],
  ['a module that hides that in another', [plant({ module: HidingModule })], global('APP_GUARD')],
  [
    'a provider of the public surface in place of the core’s',
    [moduleOf(UserService)],
    'Extension acme must not provide UserService: Sluice provides it. Import CoreModule and inject it',
  ],
  ...[
    ['price', PriceSource, OwnPrice],
    ['paymentPolicy', PaymentPolicy, OwnPolicy],
    ['mail', MailTransport, OwnMail],
    ['identity', IdentityProvider, OwnIdentity],
    ['lightning', LightningBackend, AcmeBackend],
  ].flatMap(([option, port, own]) =>
    [own, { provide: port, useClass: own }, { provide: port, useFactory: () => undefined }].map(
      (provider, index) =>
        [
          `a "${option as string}" of its own in a module, by form ${index + 1}`,
          [moduleOf(provider as Provider)],
          `Extension acme must not provide ${((index === 0 ? own : port) as Type).name}: pass it to createApp as "${option as string}"`,
        ] as const,
    ),
  ),
  ['a class that resolves a field of another extension', [tipping(), moduleOf(TipResolver)], notOwn('Transaction.isTip', 'TipResolver')],
  [
    'two classes that resolve one field: the later would silently win',
    [{ ...moduleOf(GiftResolver, OtherGiftResolver), ...{ schema: file(GIFT) } }],
    'Extension acme must not resolve Query.gift twice: GiftResolver does (OtherGiftResolver)',
  ],
  [
    'a type of others in "reveals"',
    [plant({ reveals: { Transaction: 'read' } })],
    'Extension acme must not name Transaction in "reveals": the type is not its own',
  ],
  [
    'a required field in "reveals"',
    [{ ...sdl('extend type Transaction { gift: String! }'), reveals: { 'Transaction.gift': 'read' } }],
    'Extension acme must not name Transaction.gift in "reveals": a caller without the scope gets null for it, and it is required',
  ],
  [
    'a required list of lists in "reveals"',
    [{ ...sdl('type Gift { id: ID! names: [String!]! }'), reveals: { 'Gift.names': 'read' } }],
    'Extension acme must not name Gift.names in "reveals": a caller without the scope gets null for it, and it is required',
  ],
  [
    'a type in "reveals" to which a required field of a type of others leads',
    [{ ...sdl('type Gift { id: ID! } extend type Transaction { gifts: [Gift!]! }'), reveals: { Gift: 'read' } }],
    'Extension acme must not name Gift in "reveals": a caller without the scope gets null for Transaction.gifts, and it is required',
  ],
  [
    'a root field of its own in "reveals"',
    [{ ...sdl(GIFT), reveals: { 'Query.gift': 'read' } }],
    'Extension acme must not name Query.gift in "reveals": a root field has its scope at its resolver, @Scopes(\'read\')',
  ],
  ...['Transaction.memo', 'Query.me', 'Query.none'].map(
    (field) =>
      [
        `the field ${field} in "reveals"`,
        [{ ...sdl(GIFT), reveals: { [field]: 'read' } }],
        `Extension acme must not name ${field} in "reveals": the field is not its own`,
      ] as const,
  ),
  [
    'an unknown scope in "reveals"',
    [{ ...sdl('type Gift { id: ID! }'), reveals: { Gift: 'acme:gifts' } }],
    'Extension acme sets the scope "acme:gifts" for Gift in "reveals", but there is no such scope',
  ],
  ...[
    ['health', 'live', '/health/live'],
    ['', ':page', '/:page'],
    ['oauth2', 'token', '/oauth2/token'],
    ['.well-known/lnurlp', 'alice', '/.well-known/lnurlp/alice'],
  ].map(
    ([base = '', path = '', address = '']) =>
      [`a controller at ${address}`, [at(base, path)], `Extension acme must not serve ${address}: Sluice does (TakenController)`] as const,
  ),
  [
    'a controller that inherits a handler at a path of the core',
    [plant({ module: { module: EmptyModule, controllers: [HeirController] } })],
    'Extension acme must not serve /health/live: Sluice does (HeirController)',
  ],
];

it.each(REFUSALS)('an extension is refused for %s', async (_what, extensions, sentence) => {
  expect(await refusal(extensions)).toContain(sentence);
});

describe('an extension is refused for its names', () => {
  it('with a variable under its prefix that no extension reads, beside every other problem', async () => {
    const env = { ACME_GIFTS: 'few', ACME_GIFT: '1', ACME_COLOUR: 'red', ACME_PORT_80_TCP: 'tcp://10.0.0.1', ACMES_COLOUR: 'red' };
    const message = await refusal([tipping(), plant({ settings: OwnSettings })], { ...env, TIPPING_COLOUR: 'red', PORT: 'few' });
    expect(message.split('\n').slice(1).sort()).toEqual([
      '  - ACME_COLOUR is no variable of the extension acme',
      '  - ACME_GIFT is no variable of Sluice; is ACME_GIFTS meant?',
      expect.stringContaining('ACME_GIFTS'),
      expect.stringContaining('PORT'),
      '  - TIPPING_COLOUR is no variable of the extension tipping',
    ]);
  });

  it('before the values of its settings', async () => {
    expect(await refusal([plant({ settings: StraySettings })], { GIFTS: 'few', PORT: 'few' })).toMatch(/must not read the variable GIFTS/);
    expect(await refusal([plant({ name: 'Acme', settings: StraySettings })], { GIFTS: 'few' })).toMatch(/^Invalid extension name "Acme"/);
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

describe('an extension is refused at the end of the start', () => {
  it('for handlers without a rule, with an unknown scope, or with a rule that no guard reads', async () => {
    const schema = file(
      'extend type Query { gift: String! } extend type Mutation { giftGive(to: String!): String! } extend type Transaction { isGift: Boolean! }',
    );
    const said = await lateRefusal(plant({ schema, module: { module: EmptyModule, providers: [CarelessResolver] } }));
    expect(said.split('\n  ')).toEqual([
      'Extension acme does not start: Handlers without a valid access rule:',
      'CarelessResolver.gift: none of @Scopes(), @Public(), @SessionOnly(), @AnyCredential(), @PageSession(), @Operator()',
      'CarelessResolver.giftGive: there is no scope "acme:gist"',
      'CarelessResolver.isGift: an access rule has no effect on a nested field; the type that it leads to is guarded',
    ]);
  });

  it('for a root field without a resolver', async () => {
    expect(await lateRefusal(tipping(), sdl('extend type Subscription { gift: String }'))).toBe(
      'Extension acme adds the root field Subscription.gift, and no class resolves it: a provider with @Resolver() and @Subscription() gift() is missing',
    );
  });

  it('for a required field on a type of the core without a resolver', async () => {
    expect(await lateRefusal(sdl('extend type Transaction { isGift: Boolean! }'))).toBe(
      `Extension acme adds the required field Transaction.isGift, and no class resolves it: a provider with @Resolver('Transaction') and @ResolveField() isGift() is missing`,
    );
    // Null is an answer that the schema permits, and a row of the extension's own type may have the field.
    expect(await lateRefusal(sdl('extend type Transaction { gift: Gift } type Gift { id: ID! }'))).toBe('it started');
  });

  it('and named, when the error names a class of it', async () => {
    expect(await lateRefusal(tipping(), moduleOf(BrokenService))).toBe('Extension acme does not start: the price list is empty');
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
