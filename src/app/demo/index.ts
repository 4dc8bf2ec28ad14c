export { announce } from './announce.js';
export { type DemoFile } from './demo-file.js';
export { DemoModule } from './demo.module.js';
