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
    const claims = jest.spyOn(JobStore.prototype, 'claim').mockImplementation(async function (this: JobStore, name, options) {
      if (name !== 'role') return claim.call(this, name, options);
      isClaiming = true;
      await released;
      return claim.call(this, name, options);
    });
    const { abort } = JobClass.prototype as Pick<JobClass, 'abort'>;
    const aborts = jest.spyOn(JobClass.prototype, 'abort').mockImplementation(function (this: JobClass) {
      abort.call(this);
      if ((this as unknown as { options: { name: string } }).options.name === 'role') release();
    });
    try {
      const app = await createTestApp();
      await eventually(() => isClaiming);
      await app.close();
      expect(claims).toHaveBeenCalledWith('role', expect.anything());
    } finally {
      claims.mockRestore();
      aborts.mockRestore();
    }
  });
});
