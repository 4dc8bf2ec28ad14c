export { ServerModule } from './server.module.js';
