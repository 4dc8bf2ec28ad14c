import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck } from '../../edge/auth/index.js';
import { sendProblem } from '../../edge/http/index.js';
import { refuseInvalid, type Problem } from '../../edge/graphql/index.js';
import { setRateLimitHeaders } from '../../edge/rate-limit/index.js';
import { SignInService } from './sign-in.service.js';

/** `POST /auth/login`: gives a script a session token. Unknown fields are ignored. */
@Controller()
export class AuthLoginController {
  constructor(private readonly service: SignInService) {}

  @Post('/auth/login')
  @SkipCredentialCheck()
  async login(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!this.service.isOpen) return sendProblem(reply, 'passwordsOff');
    const userAgent = request.headers['user-agent'] ?? '';
    const isGone = (): boolean => request.raw.socket.destroyed;
    const outcome = await this.service.signIn({ ...credentialsIn(body), address: request.address, userAgent, purpose: 'api', isGone });
    if (outcome.kind === 'signed_in') {
      return void reply.code(200).send({ result: { authToken: outcome.token } });
    }
    // As the reference: no error, because the password is right. Without the code there is no token yet.
    if (outcome.kind === 'factor_required') return void reply.code(200).send({ result: { authToken: null, totpRequired: true } });
    if (outcome.limit) setRateLimitHeaders(reply, outcome.limit);
    if (outcome.kind === 'refused') return sendProblem(reply, outcome.code ? 'wrongCode' : 'wrongPassword');
    sendProblem(reply, 'tooManyRequests', { retryAfterSeconds: outcome.retryAfterSeconds });
  }
}

/** @throws InvalidInput naming each field that is missing, empty or not a string */
function credentialsIn(body: unknown): { email: string; password: string; code?: string } {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const problems: Problem[] = [];
  const textOf = (name: string): string => {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    problems.push({ message: `${name} must be a non-empty string`, code: 'INVALID_INPUT', path: [name] });
    return '';
  };
  const { totp } = fields;
  const code = totp === undefined || totp === null ? {} : { code: textOf('totp') };
  const credentials = { email: textOf('email'), password: textOf('password'), ...code };
  refuseInvalid(problems);
  return credentials;
}
