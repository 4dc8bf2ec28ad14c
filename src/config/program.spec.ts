import { programAt } from './program.js';

describe('an operator’s command', () => {
  it.each([
    ['/srv/sluice/dist/src/config/program.js', 'npm run sluice --'],
    ['/srv/shop/node_modules/sluice/dist/src/config/program.js', 'npx sluice'],
    ['C:\\shop\\node_modules\\sluice\\dist\\src\\config\\program.js', 'npx sluice'],
  ])('of the Sluice in %s begins with %s', (file, program) => {
    expect(programAt(file)).toBe(program);
  });
});
