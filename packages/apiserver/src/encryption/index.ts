export { EncryptionConfigurationError, parseEncryptionConfiguration } from './configuration.js';
export { DecryptionFailed, Encryption, isEncrypted } from './encryption.js';
