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
    const { email, password } = credentialsIn(body);
    const userAgent = request.headers['user-agent'] ?? '';
    const isGone = (): boolean => request.raw.socket.destroyed;
    const outcome = await this.service.signIn({ email, password, address: request.address, userAgent, purpose: 'api', isGone });
    if (outcome.kind === 'signed_in') {
      return void reply.code(200).send({ result: { authToken: outcome.token } });
    }
    if (outcome.limit) setRateLimitHeaders(reply, outcome.limit);
    if (outcome.kind === 'refused') return sendProblem(reply, 'wrongPassword');
    sendProblem(reply, 'tooManyRequests', { retryAfterSeconds: outcome.retryAfterSeconds });
  }
}

/** @throws InvalidInput naming each field that is missing, empty or not a string */
function credentialsIn(body: unknown): { email: string; password: string } {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const problems: Problem[] = [];
  const textOf = (name: string): string => {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    problems.push({ message: `${name} must be a non-empty string`, code: 'INVALID_INPUT', path: [name] });
    return '';
  };
  const credentials = { email: textOf('email'), password: textOf('password') };
  refuseInvalid(problems);
  return credentials;
}
