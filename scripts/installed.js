// Before a script of package.json that may be the first one of a fresh clone: everything is installed.
import './node-version.js';
import { ensureInstalled } from './install.js';

ensureInstalled({ dev: true });
