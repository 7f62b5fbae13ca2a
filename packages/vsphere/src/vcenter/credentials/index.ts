export { CredentialsError } from './credentials-error.js';
export { openSession } from './open-session.js';
export { claimSecret, deleteSecret, SecretInUse } from './credentials-secret.js';
