export { graphqlModule, type GraphqlOptions } from './graphql.module.js';
export { InputPipe } from './input.pipe.js';
export { limitRule } from './limits.js';
export { publicError } from './public-error.js';
export { InvalidInput, Refusal, type Problem } from './refusal.js';
export { RefusalFilter } from './refusal.filter.js';
export { Invalid, softScalar } from './scalar.js';
export type * from './typed.js';
