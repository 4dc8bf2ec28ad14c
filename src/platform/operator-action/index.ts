export { OperatorActionModule } from './operator-action.module.js';
export { OperatorActions, type LoggedAction, type NewOperatorAction, type OperatorActionRow } from './operator-action.service.js';
