import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SkipCredentialCheck, Throttle } from '../auth/index.js';
import { InvalidInput, type Problem } from '../graphql/index.js';
import { SignInService } from './sign-in.service.js';

const answer = (reply: FastifyReply, code: number, status: string, message: string): object => {
  void reply.code(code);
  return { error: { code, status, message } };
};

/** `POST /auth/login`: gives a script a session token. Unknown fields are ignored. */
@Controller()
export class AuthLoginController {
  constructor(
    private readonly service: SignInService,
    private readonly throttle: Throttle,
  ) {}

  @Post('/auth/login')
  @SkipCredentialCheck()
  async login(@Body() body: unknown, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const { email, password } = credentialsIn(body);
    const userAgent = request.headers['user-agent'] ?? '';
    const isGone = (): boolean => request.raw.socket.destroyed;
    const outcome = await this.service.signIn({ email, password, address: request.address, userAgent, purpose: 'api', isGone });
    if (outcome.kind === 'signed_in') {
      void reply.code(200);
      return { result: { authToken: outcome.token } };
    }
    if (outcome.limit) this.throttle.announce(reply, outcome.limit.bucket, outcome.limit.hit);
    if (outcome.kind === 'refused') return answer(reply, 401, 'Unauthorized', 'E-mail address or password is wrong');
    reply.header('retry-after', outcome.retryAfterSeconds);
    return answer(reply, 429, 'TOO_MANY_REQUEST', 'Too many requests, please wait for a while and try again.');
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
  const [first, ...rest] = problems;
  if (first) throw new InvalidInput([first, ...rest]);
  return credentials;
}
