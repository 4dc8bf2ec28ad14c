import { Controller, Get, Post } from '@nestjs/common';
import { Public } from '../../src/index.js';
import { EmptyModule, plant, refusal } from '../support/refused-extension.js';

describe('an extension is refused for a controller that', () => {
  it.each([
    ['health', 'live', '/health/live'],
    ['', 'login', '/login'],
    ['login', '', '/login'],
    ['graphql', '', '/graphql'],
    ['', ':page', '/:page'],
    ['', '*', '/*'],
    ['.well-known', 'jwks.json', '/.well-known/jwks.json'],
    ['.well-known/lnurlp', 'alice', '/.well-known/lnurlp/alice'],
    ['oauth2', 'token', '/oauth2/token'],
    ['', 'userinfo/', '/userinfo'],
    ['auth', 'login', '/auth/login'],
    ['dashboard', 'keys', '/dashboard/keys'],
    ['assets', ':name', '/assets/:name'],
  ])('handles a path of the core: %j %j', async (base, path, address) => {
    @Controller(base)
    class TakenController {
      @Post(path)
      @Public()
      answer(): string {
        return 'ours now';
      }
    }
    const module = { module: EmptyModule, controllers: [TakenController] };
    expect(await refusal(plant({ module }))).toBe(`Extension acme must not serve ${address}: Sluice does (TakenController)`);
  });

  it('handles a route that a controller of an extension has', async () => {
    @Controller('acme')
    class FirstController {
      @Get('orders/:id')
      @Public()
      find(): string {
        return 'one';
      }
    }
    @Controller('acme/orders')
    class SecondController {
      @Post(':id')
      @Public()
      change(): string {
        return 'changed';
      }

      @Get(':number')
      @Public()
      look(): string {
        return 'two';
      }
    }
    const module = { module: EmptyModule, controllers: [FirstController, SecondController] };
    expect(await refusal(plant({ module }))).toBe(
      'Extension acme must not serve GET /acme/orders/:number: FirstController of extension acme does (SecondController)',
    );
  });

  it('inherits a handler at a path of the core', async () => {
    abstract class Answering {
      @Get('live')
      @Public()
      answer(): string {
        return 'ours now';
      }
    }
    @Controller('health')
    class HeirController extends Answering {}
    const module = { module: EmptyModule, controllers: [HeirController] };
    expect(await refusal(plant({ module }))).toBe('Extension acme must not serve /health/live: Sluice does (HeirController)');
  });
});
