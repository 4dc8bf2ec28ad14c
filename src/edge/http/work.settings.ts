import { int, Setting } from '../../platform/config/index.js';

export class WorkSettings {
  static readonly title = 'Work in progress';

  @Setting(
    'requests, and operations of sockets, of one address in progress at once; further HTTP requests get 503. One connection may have 8. Callers behind one proxy are one address unless `TRUST_PROXY` says otherwise',
  )
  @int(1, 1_000_000)
  WORK_PER_ADDRESS = 64;

  @Setting('the same for one key, grant or session; an account may have four times as many with all of them')
  @int(1, 1_000_000)
  WORK_PER_PRINCIPAL = 64;

  @Setting(
    'the same for all callers together; from three quarters of it on, a caller that has 8 in progress gets no more. A request that only waits for the outcome of a payment does not count',
  )
  @int(1, 1_000_000)
  WORK_PER_PROCESS = 1_000;
}
