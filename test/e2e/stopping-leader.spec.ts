import { JobClass } from '../../src/platform/job/job-class.js';
import { JobStore } from '../../src/platform/job/job.store.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp } from '../support/app.js';

describe('a process that stops', () => {
  it('gives back a role that it claims while it stops, and ends', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isClaiming = false;
    const { claim } = JobStore.prototype as Pick<JobStore, 'claim'>;
    const claims = jest.spyOn(JobStore.prototype, 'claim').mockImplementation(async function (this: JobStore, claims, ...limits) {
      if (claims.name !== 'role') return claim.call(this, claims, ...limits);
      isClaiming = true;
      await released;
      return claim.call(this, claims, ...limits);
    });
    const { stop } = JobClass.prototype as Pick<JobClass, 'stop'>;
    const stops = jest.spyOn(JobClass.prototype, 'stop').mockImplementation(function (this: JobClass, drainMs) {
      const stopped = stop.call(this, drainMs);
      const { options } = this as unknown as { options: { name: string } };
      if (options.name === 'role') void eventually(() => Reflect.get(this, 'isAborted') as boolean).then(release);
      return stopped;
    });
    try {
      const app = await createTestApp();
      await eventually(() => isClaiming);
      await app.close();
      expect(claims).toHaveBeenCalledWith(expect.objectContaining({ name: 'role' }), expect.anything(), expect.anything(), []);
    } finally {
      claims.mockRestore();
      stops.mockRestore();
    }
  });
});
