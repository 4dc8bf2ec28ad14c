import { type CanActivate, Injectable, NotFoundException } from '@nestjs/common';
import { Mail } from '../../edge/mail/index.js';
import { Factors } from '../factor/index.js';
import { IdentitySignIn } from '../identity/index.js';
import { Passwords, RegistrationService } from '../user/index.js';
import type { CompanyLink } from './company-button.js';
import { paths, withReturnTo, type ReturnTo } from './paths.js';

/** The ways to sign in that this server offers. */
@Injectable()
export class SignInWays {
  constructor(
    private readonly mail: Mail,
    private readonly identities: IdentitySignIn,
    private readonly passwords: Passwords,
    private readonly registration: RegistrationService,
    readonly factors: Factors,
  ) {}

  get passwordsWork(): boolean {
    return this.passwords.signIn;
  }

  get forgotHref(): string | null {
    return this.passwordsWork && this.mail.isAvailable ? paths.forgot : null;
  }

  registerHref(returnTo: ReturnTo): string | null {
    return this.registration.mode === 'closed' ? null : withReturnTo(paths.register, returnTo);
  }

  /** @param need `fresh`: an earlier sign-in at the provider does not count; `confirm`: nor does another person's */
  company(returnTo: ReturnTo, need?: 'fresh' | 'confirm'): CompanyLink | null {
    const { provider } = this.identities;
    return provider && { name: provider.name, href: withReturnTo(need ? `${paths.company}?${need}=1` : paths.company, returnTo) };
  }
}

/** Of pages that are about passwords: without passwords they do not exist. */
@Injectable()
export class RequiresPasswords implements CanActivate {
  constructor(private readonly passwords: Passwords) {}

  canActivate(): boolean {
    if (!this.passwords.signIn) throw new NotFoundException();
    return true;
  }
}
