import { Injectable } from '@nestjs/common';
import { PageSessionError, type Visitor } from '../../../edge/auth/index.js';
import { mayReceiveMail } from '../../../edge/mail/index.js';
import { PageError } from '../../../edge/page/index.js';
import { Factors } from '../../factor/index.js';
import { StepUp } from '../../session/index.js';
import { EmailLinks, emailOf, EmailService, type EmailLink } from '../../user/index.js';
import { requireFreshFactor } from '../confirm/fresh-factor.js';
import { paths } from '../paths.js';

/** The steps of a change of the e-mail address by its owner. */
@Injectable()
export class EmailChange {
  constructor(
    private readonly factors: Factors,
    private readonly steps: StepUp,
    private readonly emails: EmailService,
    private readonly links: EmailLinks,
  ) {}

  /** The factor, if the person has one: the page asks for the password. @throws PageError */
  async prove(visitor: Visitor): Promise<void> {
    if (await this.factors.has(visitor.user.id)) requireFreshFactor(visitor, paths.email);
  }

  /** @returns undefined for what is no address, or one that no mail may go to */
  addressOf(typed: string): string | undefined {
    const address = emailOf(typed);
    return address !== undefined && mayReceiveMail(address) && this.emails.isAvailable ? address : undefined;
  }

  /** @returns null if the password is right; a number: seconds until another one is compared @throws TurnRefusedError */
  async refusePassword(visitor: Visitor, password: string): Promise<'password' | number | null> {
    const checked = await this.steps.checkPassword(visitor, password);
    if (!('kind' in checked)) return null;
    if (checked.kind === 'ended') throw new PageSessionError('The session ended while the password was compared');
    return checked.kind === 'wrong' ? 'password' : checked.retryAfterSeconds;
  }

  /** A link counts for the person whose it is, where they are signed in. @throws PageError */
  async linkOf({ user }: Visitor, token: unknown): Promise<EmailLink> {
    const link = await this.links.find('confirm', token);
    if (link?.userId !== user.id) throw new PageError({ kind: 'error', error: 'link' });
    return link;
  }
}
