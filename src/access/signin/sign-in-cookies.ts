import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/index.js';
import { cookieName, cookieOptions } from '../../edge/http/index.js';
import { PageSessions, SessionSettings, TICKET_SECONDS } from '../session/index.js';
import { FlashCookie } from './flash-cookie.js';
import { paths } from './paths.js';

@Injectable()
export class SignInCookies {
  private readonly deviceCookie: string;
  private readonly ticketCookie: string;

  constructor(
    private readonly config: Config,
    private readonly pageSessions: PageSessions,
    private readonly flash: FlashCookie,
    private readonly settings: SessionSettings,
  ) {
    this.deviceCookie = cookieName('sluice-device', config.publicUrl);
    this.ticketCookie = cookieName('sluice-ticket', config.publicUrl);
  }

  deviceOf({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.deviceCookie];
  }

  ticketOf({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.ticketCookie];
  }

  /** Keeps the ticket of the first step of a sign-in for the second. */
  setTicket(reply: FastifyReply, ticket: string): void {
    reply.setCookie(this.ticketCookie, ticket, cookieOptions(this.config.publicUrl, TICKET_SECONDS));
  }

  /** Sets the cookie of a session, for as long as an idle one lives, and of a new one the device cookie, which outlives it. */
  set(reply: FastifyReply, { token, device }: { readonly token: string; readonly device?: string }): void {
    const { publicUrl } = this.config;
    const { SESSION_IDLE_SECONDS, deviceSeconds } = this.settings;
    reply.setCookie(this.pageSessions.cookieName, token, cookieOptions(publicUrl, SESSION_IDLE_SECONDS));
    if (device !== undefined) reply.setCookie(this.deviceCookie, device, cookieOptions(publicUrl, deviceSeconds));
    if (this.ticketOf(reply.request) !== undefined) reply.setCookie(this.ticketCookie, '', cookieOptions(publicUrl, 0));
  }

  clear(reply: FastifyReply): void {
    reply.setCookie(this.pageSessions.cookieName, '', cookieOptions(this.config.publicUrl, 0));
  }

  /** Keeps the e-mail of a new account for the sign-in page: not in the address, which browsers and logs keep. */
  keepEmail(reply: FastifyReply, email: string): void {
    this.flash.keep(reply, paths.login, email);
  }

  takeEmail(reply: FastifyReply): string | null {
    return this.flash.take(reply, paths.login);
  }
}
