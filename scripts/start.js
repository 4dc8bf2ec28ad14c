// npm start: starts Sluice, also from a fresh clone.
import './node-version.js';

const { launch } = await import('./launch.js');
await launch('bundle/main.js');
