export { createQuotaAdmission } from './quota-admission.js';
export { QuotaLedger } from './quota-ledger.js';
export { startQuotaStatus } from './quota-status.js';
