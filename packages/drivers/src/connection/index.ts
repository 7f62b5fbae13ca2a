export { readCertificate } from './certificate.js';
export { reconcileConnection, targetOf } from './connection-reconcile.js';
export { principalOf, privilegesFor } from './privileges.js';
export type { CertificateFacts, ConnectionReport, ConnectionTarget, MachineFacts, VCenters } from './vcenters.js';
export { createVimVCenters, openSession } from './vim-vcenters.js';
