export { startDefaultServiceAccounts } from './default-accounts.js';
export { startRootCertificates } from './root-certificate.js';
export { startTokenSecrets, type TokenSecretFillingOptions } from './token-secrets.js';
