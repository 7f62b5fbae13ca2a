export { EncryptionConfigurationError, parseEncryptionConfiguration } from './configuration.js';
export { KmsUnavailable } from './kms/kms-provider.js';
export { DecryptionFailed, Encryption, isEncrypted } from './encryption.js';
