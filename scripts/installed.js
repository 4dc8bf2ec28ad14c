// Runs before a script of package.json that may be the first of a fresh clone: installs everything.
import './node-version.js';
import { ensureInstalled } from './install.js';

ensureInstalled({ dev: true });
