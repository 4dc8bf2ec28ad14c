export { configureHttp, createAdapter, enableCors } from './adapter.js';
