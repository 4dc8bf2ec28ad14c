import { programAt } from './program.js';

describe('the command of the operator', () => {
  it.each([
    ['/srv/sluice', true, 'npm run sluice --'],
    ['/srv/shop/node_modules/sluice', false, 'npx sluice'],
    ['C:\\shop\\node_modules\\sluice', false, 'npx sluice'],
    ['/app', false, 'sluice'],
  ])('for the Sluice in %s (a clone: %s) begins with %s', (folder, isClone, program) => {
    expect(programAt(folder, isClone)).toBe(program);
  });
});
