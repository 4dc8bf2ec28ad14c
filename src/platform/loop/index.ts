export { Loop, type LoopOptions, Loops } from './loop.js';
