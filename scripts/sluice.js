// npm run sluice -- <command>: the operator's commands.
import './node-version.js';

const { launch } = await import('./launch.js');
await launch('bundle/cli/main.js');
