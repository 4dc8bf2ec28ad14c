import { Args, Context, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { SessionOnly, type GqlContext } from '../../edge/auth/index.js';
import { InvalidInput, type Implements, type Result } from '../../edge/graphql/index.js';
import type { UserTotpRegistrationValidateInput } from '../../generated/graphql.js';
import { Factors } from '../factor/index.js';
import { UserService, type UserRow } from '../user/index.js';
import { freshUserId } from './fresh-session.js';
import { SessionService } from './session.service.js';

const exists = (): InvalidInput =>
  InvalidInput.of('The authenticator app is on. Turn it off before you set up another one', 'INVALID_INPUT', null);

/** The authenticator app of the caller, over the API: for the session of a script, as the page Security is for a browser. */
@Resolver('User')
export class TotpResolver
  implements
    Implements<'User', 'totpEnabled'>,
    Implements<'Mutation', 'userTotpRegistrationInitiate' | 'userTotpRegistrationValidate' | 'userTotpDelete'>
{
  constructor(
    private readonly factors: Factors,
    private readonly sessions: SessionService,
    private readonly users: UserService,
  ) {}

  @ResolveField()
  totpEnabled({ id }: UserRow): Promise<Result<'User', 'totpEnabled'>> {
    return this.factors.hasTotp(id);
  }

  @Mutation()
  @SessionOnly()
  async userTotpRegistrationInitiate(@Context() { principal }: GqlContext): Promise<Result<'Mutation', 'userTotpRegistrationInitiate'>> {
    const userId = await freshUserId(this.sessions, principal);
    if (await this.factors.hasTotp(userId)) throw exists();
    const { id, secret } = await this.factors.register(userId, '');
    return { errors: [], totpRegistrationId: id, totpSecret: secret };
  }

  @Mutation()
  @SessionOnly()
  async userTotpRegistrationValidate(
    @Args('input') input: UserTotpRegistrationValidateInput,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'userTotpRegistrationValidate'>> {
    const userId = await freshUserId(this.sessions, principal);
    const { kind } = await this.factors.enrol(userId, input.totpRegistrationId, input.totpCode);
    if (kind === 'exists') throw exists();
    if (kind === 'wrong') throw InvalidInput.of('Wrong code', 'INVALID_INPUT', ['input', 'totpCode']);
    if (kind === 'not_found') throw InvalidInput.of('Registration not found or expired', 'NOT_FOUND', ['input', 'totpRegistrationId']);
    return { errors: [], me: await this.users.findById(userId) };
  }

  @Mutation()
  @SessionOnly()
  async userTotpDelete(@Context() { principal }: GqlContext): Promise<Result<'Mutation', 'userTotpDelete'>> {
    const userId = await freshUserId(this.sessions, principal);
    await this.factors.removeTotp(userId);
    return { errors: [], me: await this.users.findById(userId) };
  }
}
