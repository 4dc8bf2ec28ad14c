export { SocketModule } from './socket.module.js';
