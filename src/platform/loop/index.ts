export { LoopModule } from './loop.module.js';
export { Loop, type LoopOptions } from './loop.js';
export { Loops } from './loops.js';
