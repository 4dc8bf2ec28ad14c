// npm run quick -- <pattern>: the unit specs whose paths match, without installing, building or a database; arguments go to Jest.
import './node-version.js';

const { startJest } = await import('./jest.js');

startJest([...process.argv.slice(2), '--selectProjects', 'unit'], { stdio: 'inherit' }).on('close', (status) => {
  process.exitCode = status ?? 1;
});
