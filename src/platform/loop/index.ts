export { LoopModule } from './loop.module.js';
export { Loop, type LoopOptions, Loops } from './loop.js';
