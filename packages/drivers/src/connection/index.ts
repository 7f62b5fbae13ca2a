export { readCertificate } from './certificate.js';
export { principalOf, privilegesFor } from './privileges.js';
export type { ConnectionReport, ConnectionTarget, MachineFacts, VCenters } from './vcenters.js';
export { createVimVCenters, openSession } from './vim-vcenters.js';
