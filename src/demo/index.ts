export { announce, DemoReady } from './announce.js';
export { readDemoFile, type DemoFile } from './demo-file.js';
export { DemoModule } from './demo.module.js';
export { DemoService } from './demo.service.js';
