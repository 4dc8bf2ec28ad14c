import { availableParallelism } from 'node:os';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify, type Options } from '@node-rs/argon2';
import { mintToken } from '../kernel/token.js';
import { Metrics } from '../metrics/index.js';
import { PASSWORD_CHARACTERS } from './identity.js';
import { Turns, type Lane } from './turns.js';

/** OWASP's floor for argon2id (the library's default algorithm), about 20 ms of one core. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Half the cores at most: however many people sign in, payments go on. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/** `not_tried`: the attempt was called off before its turn came. */
export type Verdict = 'right' | 'wrong' | 'not_tried';

/** Passwords at rest, and the work of comparing them: bounded, and the same for people who do not exist. */
@Injectable()
export class Passwords implements OnModuleInit {
  private readonly turns = new Turns(AT_ONCE);
  private nobodys = '';

  constructor(metrics: Metrics) {
    metrics.labelledGauge('sluice_password_comparisons_waiting', 'Passwords that wait to be compared or hashed', 'lane', () => ({
      known: this.turns.waiting('known'),
      strangers: this.turns.waiting('strangers'),
    }));
  }

  async onModuleInit(): Promise<void> {
    this.nobodys = await hash(mintToken('nobody'), COST);
  }

  /** @param key whose work it is: those of one key wait for each other, and take turns with everybody else */
  hash(key: string, password: string): Promise<string> {
    return this.turns.take(key, () => hash(asTyped(password), COST));
  }

  /**
   * @param key as for `hash`
   * @param stored null where there is no such person: takes as long, and is always wrong
   * @param lane with whom it takes turns
   * @param mayTry asked when its turn has come: attempts that waited side by side must not slip past a limit that the first of them reached
   */
  verify(key: string, stored: string | null, password: string, mayTry: () => boolean, lane: Lane = 'strangers'): Promise<Verdict> {
    const compare = async (): Promise<Verdict> => {
      if (!mayTry()) return 'not_tried';
      // A character may be two units of UTF-16. What is longer can be nobody's password, and is not worth hashing.
      const possible = stored !== null && password.length <= 2 * PASSWORD_CHARACTERS.max;
      const same = await verify(possible ? stored : this.nobodys, possible ? asTyped(password) : '');
      return possible && same ? 'right' : 'wrong';
    };
    return this.turns.take(key, compare, lane);
  }
}

/** Keyboards differ in how they compose the same character (NIST SP 800-63B 5.1.1.2). */
const asTyped = (password: string): string => password.normalize('NFKC');
