export { startDefaultServiceAccounts } from './default-accounts.js';
export { startRootCertificates } from './root-certificate.js';
export { startTokenSecrets } from './token-secrets.js';
