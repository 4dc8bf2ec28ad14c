import { Clock } from '../../../platform/kernel/clock.js';
import type { Proof } from './proof.js';
import { ProofWindow } from './proof-window.js';

class TurnedClock extends Clock {
  time = 1_000;
  override now(): number {
    return this.time;
  }
  override timeout(): () => void {
    return () => undefined;
  }
}

const proof = (jti: string, jkt = 'key'): Proof => ({ jkt, jti, htm: '', htu: '', iat: 0, ath: '', nonce: '' });

describe('the nonces of a process', () => {
  let clock: TurnedClock;
  let window: ProofWindow;
  beforeEach(() => {
    clock = new TurnedClock();
    window = new ProofWindow(clock);
  });

  it('are accepted for 30 to 60 seconds', () => {
    const { nonce } = window;
    clock.time += 29_999;
    expect(window.nonce).toBe(nonce);
    clock.time += 30_000;
    expect(window.nonce).not.toBe(nonce);
    expect(window.use(proof('late'), nonce)).toBe('fresh');
    clock.time += 1;
    expect(window.use(proof('later'), nonce)).toBe('unknown');
  });

  it('are of no other process', () => {
    expect(new ProofWindow(clock).use(proof('one'), window.nonce)).toBe('unknown');
  });

  it('remember each proof as long as they live, by key and jti', () => {
    const { nonce } = window;
    expect(window.use(proof('one'), nonce)).toBe('fresh');
    expect(window.use(proof('one', 'another key'), nonce)).toBe('fresh');
    clock.time += 59_999;
    expect(window.use(proof('one'), nonce)).toBe('used');
  });

  it('end early when they remember many: nothing is accepted twice, and new ones work', () => {
    const { nonce } = window;
    const useMany = (from: number): void => {
      for (let count = from; count < from + 50_000; count++) window.use(proof(String(count)), nonce);
    };
    useMany(0);
    expect(window.nonce).not.toBe(nonce);
    expect(window.use(proof('0'), nonce)).toBe('used');
    useMany(50_000);
    expect(window.use(proof('0'), nonce)).toBe('unknown');
    expect(window.use(proof('0'), window.nonce)).toBe('fresh');
  });
});
