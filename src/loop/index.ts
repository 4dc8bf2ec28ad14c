export { LoopModule } from './loop.module.js';
export { Loop } from './loop.js';
export { Loops } from './loops.js';
