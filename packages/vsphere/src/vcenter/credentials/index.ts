export { CredentialsError } from './credentials-error.js';
export { credentialsFileSetting, readCredentialsFile } from './credentials-file.js';
export { claimSecret, deleteSecret, SecretInUse } from './credentials-secret.js';
export { clustersOfIdentity, clustersOfSecret, CredentialsWatch, identitiesOfSecret } from './credentials-watch.js';
export { openSession } from './open-session.js';
export { outageMessage } from './outage-message.js';
export { StandBy } from './stand-by.js';
