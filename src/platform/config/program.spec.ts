import { programAt } from './program.js';

describe('the command of the operator', () => {
  it.each([
    ['/srv/sluice/dist/src/config/program.js', 'npm run sluice --'],
    ['/srv/shop/node_modules/sluice/dist/src/config/program.js', 'npx sluice'],
    ['C:\\shop\\node_modules\\sluice\\dist\\src\\config\\program.js', 'npx sluice'],
  ])('for the Sluice in %s begins with %s', (file, program) => {
    expect(programAt(file)).toBe(program);
  });
});
