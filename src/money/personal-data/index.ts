// What a person may do about their data as a whole: have a copy of it, and delete the account.
export { DELETION_REFUSALS, type DeletionRefusal } from './account-deletion.outcome.js';
export { AccountDeletionService } from './account-deletion.service.js';
export { DataExportService } from './data-export.service.js';
export { PersonalDataModule } from './personal-data.module.js';
