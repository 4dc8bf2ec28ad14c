import { Get, Post } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, type Visitor } from '../../../edge/auth/index.js';
import {
  buttonLink,
  csrfField,
  html,
  PersonPages,
  Reply,
  shellPage,
  untrustedText,
  type Html,
  type Redirect,
  type Screen,
  type ShellFrame,
} from '../../../edge/page/index.js';
import { SessionService } from '../../session/index.js';
import { HOME, paths } from '../paths.js';
import { SignInCookies } from '../sign-in-cookies.js';

/** `GET /logout`: asks for confirmation, because a link alone must not sign a person out. */
export function logoutPage({ frame }: { readonly frame: ShellFrame }): Html {
  const body = html`<h1>Sign out?</h1>
    <form class="card" method="post" action="${paths.logout}">
      ${csrfField(frame.csrf)}
      <p>You are signed in as <b>${untrustedText(frame.email)}</b>. API keys and connected apps stay active.</p>
      <div class="line"><button>Sign out</button>${buttonLink(HOME, 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, { title: 'Sign out', currentEntry: null, body });
}

@PersonPages('logout')
export class LogoutController {
  constructor(
    private readonly sessions: SessionService,
    private readonly cookies: SignInCookies,
  ) {}

  @Get()
  show(): Screen {
    return { draw: (frame) => logoutPage({ frame }) };
  }

  @Post()
  async signOut(@CurrentVisitor() visitor: Visitor, @Reply() reply: FastifyReply): Promise<Redirect> {
    await this.sessions.end(visitor.session.id);
    this.cookies.clear(reply);
    return { seeOther: `${paths.login}?signed-out=1` };
  }
}
