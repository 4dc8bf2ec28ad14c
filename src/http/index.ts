export { ArrivingBodies, type BodyRefused } from './arriving-bodies.js';
export { configureHttp, createAdapter, enableCors } from './adapter.js';
export { guardHost, isOwnHost } from './own-host.js';
export { Work, WorkInProgress } from './work-in-progress.js';
export { NotBegun } from './fair-queue.js';
export { compressAnswers } from './compression.js';
export { asksForApiPage } from './page-request.js';
export { addressesOf, meet } from './handler-address.js';
