export { DatabaseMarkEntity, ReconciliationEntity } from './reconciliation.entity.js';
export { ReconciliationModule } from './reconciliation.module.js';
export { AFTER_RESTORE, ReconciliationService, type ReconciliationReport } from './reconciliation.service.js';
