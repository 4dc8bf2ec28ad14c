import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { SessionOnly, userIdOf, type GqlContext } from '../../../edge/auth/index.js';
import { InvalidInput, type Implements, type Result } from '../../../edge/graphql/index.js';
import { mayReceiveMail } from '../../../edge/mail/index.js';
import { RateLimiter } from '../../../edge/rate-limit/index.js';
import type { UserEmailRegistrationInitiateInput, UserEmailRegistrationValidateInput } from '../../../generated/graphql.js';
import { freshUserId, SessionService } from '../../session/index.js';
import { emailOf, EmailRegistrations, EmailService, UserService } from '../../user/index.js';

/** The e-mail address of the caller, for the session of a script, as the page E-mail address is for a browser. */
@Resolver()
export class EmailResolver implements Implements<
  'Mutation',
  'userEmailRegistrationInitiate' | 'userEmailRegistrationValidate' | 'userEmailDelete'
> {
  constructor(
    private readonly registrations: EmailRegistrations,
    private readonly emails: EmailService,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly limiter: RateLimiter,
  ) {}

  @Mutation()
  @SessionOnly()
  async userEmailRegistrationInitiate(
    @Args('input') input: UserEmailRegistrationInitiateInput,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'userEmailRegistrationInitiate'>> {
    const userId = userIdOf(principal);
    const address = emailOf(input.email);
    if (address === undefined || !mayReceiveMail(address))
      throw InvalidInput.of('Invalid e-mail address', 'INVALID_INPUT', ['input', 'email']);
    if (!this.emails.isAvailable) throw InvalidInput.of('This server sends no mail', 'SERVICE_UNAVAILABLE');
    const me = await this.users.findById(userId);
    if (me?.email !== address) await freshUserId(this.sessions, principal);
    for (const [policy, key] of [
      ['mailAddress', userId],
      ['mailRecipient', address],
    ] as const)
      if ((await this.limiter.consume(policy, key)).isBlocked)
        throw InvalidInput.of('Too many messages. Try again later', 'TOO_MANY_REQUEST');
    return { errors: [], emailRegistrationId: await this.registrations.add(userId, address), me };
  }

  @Mutation()
  @SessionOnly()
  async userEmailRegistrationValidate(
    @Args('input') input: UserEmailRegistrationValidateInput,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'userEmailRegistrationValidate'>> {
    const userId = userIdOf(principal);
    const outcome = await this.registrations.validate(userId, input.emailRegistrationId, input.code);
    if (outcome === 'wrong') throw InvalidInput.of('Wrong code', 'INVALID_INPUT', ['input', 'code']);
    if (outcome === 'not_found' || outcome === 'taken')
      throw InvalidInput.of('Registration not found or expired', 'NOT_FOUND', ['input', 'emailRegistrationId']);
    return { errors: [], me: await this.users.findById(userId) };
  }

  /** People sign in with their address, and reset a password with it: it is changed, never removed. */
  @Mutation()
  @SessionOnly()
  userEmailDelete(): Promise<Result<'Mutation', 'userEmailDelete'>> {
    throw InvalidInput.of('The e-mail address is needed to sign in. Change it instead', 'INVALID_INPUT');
  }
}
