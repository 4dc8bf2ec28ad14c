export { configureHttp, createAdapter, enableCors } from './adapter.js';
export { Work, WorkInProgress } from './work-in-progress.js';
