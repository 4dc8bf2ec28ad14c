import { availableParallelism } from 'node:os';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify, type Options } from '@node-rs/argon2';
import { FairQueue, TurnRefusedError } from '../../edge/http/index.js';
import { mintToken } from '../../platform/kernel/token.js';
import { Metrics } from '../../platform/metrics/index.js';
import { PASSWORD_CHARACTERS } from './identity.js';
import { PasswordSettings } from './password.settings.js';

/** Half of the cores, but at least one, for each class of callers. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/** `not_tried`: the attempt was cancelled before its turn. `busy`: its turn did not come. */
export type PasswordCheck = 'right' | 'wrong' | 'not_tried' | 'busy';

/** Callers from a browser that is known for the account wait apart from strangers, whose number has no bound. */
export type CallerClass = 'known' | 'strangers';

/** Hashes and compares passwords: bounded work, and the same for accounts that do not exist. */
@Injectable()
export class Passwords implements OnModuleInit {
  private readonly queues: Readonly<Record<CallerClass, FairQueue>> = {
    known: new FairQueue('known_hashes', { atOnce: AT_ONCE }),
    strangers: new FairQueue('hashes', { atOnce: AT_ONCE }),
  };
  /** False: people sign in through the company alone. */
  readonly signIn: boolean;
  private readonly cost: Options;
  private unknownUserHash = '';

  constructor(settings: PasswordSettings, metrics: Metrics) {
    this.signIn = settings.PASSWORD_SIGN_IN;
    this.cost = { memoryCost: settings.memoryKib, timeCost: settings.passes, parallelism: 1 };
    metrics.labelledGauge('sluice_password_comparisons_waiting', 'Passwords that wait for comparison or hashing', 'lane', () => ({
      known: this.queues.known.length,
      strangers: this.queues.strangers.length,
    }));
  }

  async onModuleInit(): Promise<void> {
    this.unknownUserHash = await hash(mintToken('unknown'), this.cost);
  }

  /** @param key whose work it is: the keys take turns @throws TurnRefusedError */
  async hash(key: string, password: string): Promise<string> {
    return this.queues.strangers.run(key, () => hash(asTyped(password), this.cost));
  }

  /**
   * @param key as for `hash`
   * @param stored null if there is no such account: takes as long, and is always wrong
   * @param callers the class that it takes turns in
   * @param mayTry asked when its turn comes: concurrent attempts must not pass a limit that the first of them reached
   */
  async verify(
    key: string,
    stored: string | null,
    password: string,
    mayTry: () => boolean | Promise<boolean>,
    callers: CallerClass = 'strangers',
  ): Promise<PasswordCheck> {
    if (!this.signIn) return 'wrong';
    const compare = async (): Promise<PasswordCheck> => {
      if (!(await mayTry())) return 'not_tried';
      // A character may be two units of UTF-16. A longer text cannot be a password and is not hashed.
      const possible = stored !== null && password.length <= 2 * PASSWORD_CHARACTERS.max;
      const same = await verify(possible ? stored : this.unknownUserHash, possible ? asTyped(password) : '');
      return possible && same ? 'right' : 'wrong';
    };
    try {
      return await this.queues[callers].run(key, compare);
    } catch (error) {
      if (error instanceof TurnRefusedError) return 'busy';
      throw error;
    }
  }
}

/** Keyboards differ in how they compose the same character (NIST SP 800-63B 5.1.1.2). */
const asTyped = (password: string): string => password.normalize('NFKC');
