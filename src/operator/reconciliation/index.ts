export { ReconciliationModule } from './reconciliation.module.js';
export { ReconciliationService, type ReconciliationReport } from './reconciliation.service.js';
