import { Controller, Get, Module, Post, Query, Req, Res } from '@nestjs/common';
import {
  Clock,
  Config,
  CoreModule,
  html,
  Public,
  seeOther,
  type Extension,
  type FastifyReply,
  type FastifyRequest,
} from '../../../src/index.js';
import { MEMBERS } from './members.js';
import { BadgeTickets } from './tickets.js';

const CSP = "default-src 'none'; form-action 'self'; frame-ancestors 'none'";

/** `/badge/login`: the sign-in page of this organisation. The state makes a form of another site worthless. */
@Controller('badge/login')
export class BadgeController {
  private readonly tickets: BadgeTickets;

  constructor(config: Config, clock: Clock) {
    this.tickets = new BadgeTickets(config, clock);
  }

  @Public()
  @Get()
  show(@Query('state') state: string, @Res() reply: FastifyReply): void {
    const page = html`<!doctype html>
      <html lang="en">
        <title>Badge</title>
        <h1>Sign in with your badge</h1>
        <form method="post" action="/badge/login">
          <input type="hidden" name="state" value="${state}" />
          <label>Badge <input name="badge" autocomplete="username" /></label>
          <label>PIN <input name="pin" type="password" autocomplete="current-password" /></label>
          <button>Sign in</button>
        </form>
      </html>`;
    void reply
      .headers({ 'Content-Security-Policy': CSP, 'Cache-Control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page.toString());
  }

  @Public()
  @Post()
  check(@Req() { body }: FastifyRequest, @Res() reply: FastifyReply): void {
    const form = new URLSearchParams(typeof body === 'string' ? body : '');
    const [state, badge, pin] = ['state', 'badge', 'pin'].map((name) => form.get(name) ?? '') as [string, string, string];
    if (MEMBERS.get(badge)?.pin !== pin) return void reply.code(403).send('The badge or the PIN is wrong');
    seeOther(reply, `/login/company/callback?${this.tickets.make(badge, state).toString()}`);
  }
}

@Module({ imports: [CoreModule], controllers: [BadgeController] })
class BadgeModule {}

/** With `createApp({ identity: BadgeProvider, extensions: [badge()] })`. */
export const badge = (): Extension => ({ name: 'badge', sluice: '>=0.3 <1', module: BadgeModule });
