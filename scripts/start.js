// npm start: a fresh clone becomes a running Sluice.
import './node-version.js';

const { launch } = await import('./launch.js');
await launch('src/main.js');
