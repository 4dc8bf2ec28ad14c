export { SocketModule } from './socket.module.js';
export { SocketSettings } from './socket.settings.js';
