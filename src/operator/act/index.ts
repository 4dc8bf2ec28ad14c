export { COMMANDS } from './commands.js';
