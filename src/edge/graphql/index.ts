export { CompiledQueries } from './compiled-queries.js';
export { faultOfText, VALIDATION_OPTIONS } from './document-faults.js';
export { isLong, makeFile, takeThreadTurn, notBegunError, takeTurns } from './operation-turns.js';
export { graphqlModule } from './graphql.module.js';
export { InputPipe, refuseInvalid } from './input.pipe.js';
export { bytesOfDocument, costOf, limitRule } from './limits.js';
export { publicError } from './public-error.js';
export { noteProgress, OperationProgress } from './operation-progress.js';
export { coerceVariables } from './request-check.js';
export { ERROR_CODES, type ErrorCode } from './error-codes.js';
export { InvalidInput, AccessError, type Problem } from './refusal.js';
export { RefusalFilter } from './refusal.filter.js';
export type * from './typed.js';
export { connectionOf, pageRequestOf, type Connection, type PageArgs } from './connection.js';
export {
  checkAdditive,
  faultsOfResolver,
  fieldsResolvedBy,
  isAdded,
  requireAdded,
  requiredFieldsTo,
  ROOT_TYPES,
  type SchemaChange,
} from './additive.js';
export { GraphqlSettings } from './graphql.settings.js';
