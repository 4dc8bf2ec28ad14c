import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  Body,
  Controller,
  HttpCode,
  Injectable,
  Module,
  Post,
  RawBody,
  ServiceUnavailableException,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type RawBodyRequest,
} from '@nestjs/common';
import { IsOptional, MaxLength, MinLength } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { Config, createApp, Public, type Extension } from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';

/** Settings of the extension, checked and injected as Sluice's own are. */
class HookSettings {
  @MinLength(8) HOOK_SECRET!: string;
  @IsOptional() @MaxLength(20) HOOK_LABEL?: string;
}

const signatureOf = (body: string | Buffer, secret: string): string => createHmac('sha256', secret).update(body).digest('hex');

/** Judges the bytes as they arrived: JSON that is parsed and written anew has another signature. */
@Injectable()
class SignatureGuard implements CanActivate {
  constructor(private readonly settings: HookSettings) {}

  canActivate(context: ExecutionContext): boolean {
    const { rawBody, headers } = context.switchToHttp().getRequest<RawBodyRequest<FastifyRequest>>();
    const [, given = ''] = /^Bearer ([0-9a-f]{64})$/.exec(headers.authorization ?? '') ?? [];
    const expected = signatureOf(rawBody ?? '', this.settings.HOOK_SECRET);
    if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) throw new UnauthorizedException();
    return true;
  }
}

@Controller('hook')
class HookController {
  constructor(readonly settings: HookSettings) {}

  @Post()
  @HttpCode(200)
  @Public()
  @UseGuards(SignatureGuard)
  receive(@Body() { amount }: { amount: number }, @RawBody() raw: Buffer): object {
    if (amount === 0) throw new ServiceUnavailableException('The bookkeeping is away');
    return { amount, bytes: raw.length };
  }
}

@Module({ controllers: [HookController], providers: [SignatureGuard] })
class HookModule {}

const hook: Extension = { name: 'hook', module: HookModule, settings: HookSettings };
const SECRET = 'the secret of the sender';
/** Spaces and the order of names belong to the signed bytes. */
const BODY = '{ "note": "ü",  "amount": 21 }';

describe('a webhook that an extension receives', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp({ extensions: [hook], env: { HOOK_SECRET: SECRET, HOOK_LABEL: '' } })));
  afterAll(() => app.close());

  const send = (body: string, authorization: string): Promise<Response> =>
    fetch(`${app.url}/hook`, { method: 'POST', headers: { 'content-type': 'application/json', authorization }, body });

  it('is authenticated by the extension, over the bytes that arrived', async () => {
    const answer = await send(BODY, `Bearer ${signatureOf(BODY, SECRET)}`);
    expect([answer.status, await answer.json()]).toEqual([200, { amount: 21, bytes: Buffer.byteLength(BODY) }]);
  });

  it('is refused when one byte differs, or with the signature of another secret', async () => {
    expect((await send(BODY.replace('21', '22'), `Bearer ${signatureOf(BODY, SECRET)}`)).status).toBe(401);
    expect((await send(BODY, `Bearer ${signatureOf(BODY, 'another secret')}`)).status).toBe(401);
    const answer = await send(BODY, '');
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: 401, status: 'NOT_AUTHENTICATED' } }]);
  });

  it('is answered 503 when its handler says so, and the log has no unexpected error', async () => {
    const body = '{"amount":0}';
    const answer = await send(body, `Bearer ${signatureOf(body, SECRET)}`);
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      { error: { code: 503, status: 'SERVICE_UNAVAILABLE', message: 'The bookkeeping is away' } },
    ]);
    expect(app.logs.filter((line) => line.includes('http_unexpected_error'))).toEqual([]);
  });

  it('is not read beyond 256 KiB', async () => {
    const long = JSON.stringify({ amount: 1, note: 'x'.repeat(257 * 1024) });
    expect((await send(long, `Bearer ${signatureOf(long, SECRET)}`)).status).toBe(413);
  });

  it('finds its settings frozen, and an empty variable absent', () => {
    const { settings } = app.get(HookController);
    expect({ ...settings }).toEqual({ HOOK_SECRET: SECRET, HOOK_LABEL: undefined });
    expect(Object.isFrozen(settings)).toBe(true);
    expect(app.get(Config)).not.toHaveProperty('HOOK_SECRET');
  });
});

describe('the settings of an extension', () => {
  const refusal = (env: Record<string, string>, ...extensions: Extension[]): Promise<string> =>
    createApp({ env: { SECRET_KEY: 'x'.repeat(32), LOG_LEVEL: 'silent', ...env }, connection: { host: '/nowhere' }, extensions }).then(
      () => 'it started',
      (error: Error) => error.message,
    );

  it('are refused together with Sluice’s own, by name and without their values', async () => {
    const said = await refusal({ PORT: 'four thousand', HOOK_SECRET: 'hunter2', HOOK_LABEL: 'x'.repeat(21) }, hook);
    expect(said.split('\n  - ')).toEqual([
      'The configuration has 3 problems:',
      'PORT must be a whole number from 0 to 65535',
      'HOOK_SECRET must be longer than or equal to 8 characters (extension hook)',
      'HOOK_LABEL must be shorter than or equal to 20 characters (extension hook)',
    ]);
    expect(await refusal({ SLUICE_MODE: 'production' }, hook)).toMatch(
      /PUBLIC_URL must be set[^]*HOOK_SECRET is missing \(extension hook\)$/,
    );
  });

  it('are refused by name if they are missing, or have no rule', async () => {
    class Bare {
      @MinLength(1) BARE_NAME = 'x';
      BARE_COUNT = 1;
    }
    expect(await refusal({}, hook)).toMatch(/HOOK_SECRET is missing \(extension hook\)$/);
    expect(await refusal({}, { name: 'bare', module: class {}, settings: Bare })).toMatch(
      /BARE_COUNT has no rule of class-validator \(extension bare\)$/,
    );
  });

  it('have names of their own', async () => {
    class Taken {
      @MinLength(1) PORT = 'x';
    }
    class Stray {
      @MinLength(1) HOOK_SECRET = 'x';
      @MinLength(1) HOOKS = 'x';
    }
    const rule = 'its variables must start with "HOOK_" and not be Sluice\'s own';
    expect(await refusal({}, { ...hook, settings: Taken })).toBe(`Extension hook must not read the variable PORT: ${rule}`);
    expect(await refusal({}, { ...hook, settings: Stray })).toBe(`Extension hook must not read the variable HOOKS: ${rule}`);
    class Own {
      @MinLength(1) THROTTLE_ADDRESS = 'x';
    }
    expect(await refusal({ THROTTLE_ADDRESS: '6000/60' }, { ...hook, name: 'throttle', settings: Own })).toMatch(
      /must not read the variable THROTTLE_ADDRESS/,
    );
  });

  it('are not among the providers of the extension', async () => {
    const module = { module: HookModule, providers: [HookSettings] };
    expect(await refusal({ HOOK_SECRET: SECRET }, { ...hook, module })).toBe(
      'Extension hook must not provide HookSettings: Sluice makes it from the environment',
    );
  });
});
