export type { AlternativeNames, Certificate, CertificateSubject } from './certificate.js';
export {
  certificateToPem,
  fingerprintOf,
  parseCertificate,
  parseCertificates,
  publicKeyPin,
} from './certificate.js';
export type { CertificateAuthority, CertificateAndKey, CertificateTemplate, PkiWorld } from './issue.js';
export {
  authorityValidityMsDefault,
  backdateMsDefault,
  certificateValidityMsDefault,
  clientTemplate,
  createAuthority,
  createSerialNumber,
  issueCertificate,
  needsRenewal,
  renewCertificate,
  selfSign,
  servingTemplate,
} from './issue.js';
export type { KeyPoolOptions, KeySource } from './key-pool.js';
export { KeyPool } from './key-pool.js';
export type { KeyAlgorithm, KeyStrength, PrivateKey, PublicJwk, PublicKey } from './keys.js';
export {
  generatePrivateKey,
  generatePrivateKeyOf,
  keyAlgorithm,
  privateKeyFromPem,
  privateKeyToPem,
  publicKeyFromPem,
  publicKeyOf,
  publicKeyToDer,
  publicKeyToJwk,
  publicKeyToPem,
} from './keys.js';
export type { PemBlock } from './pem.js';
export { decodePem, encodePem } from './pem.js';
export type { SigningRequest, SigningRequestTemplate } from './signing-request.js';
export { createSigningRequest, parseSigningRequest, signRequest } from './signing-request.js';
export type { KeyUsage } from './usages.js';
export { allUsages, isUsage } from './usages.js';
export type { VerifyFailure, VerifyResult } from './verify.js';
export { CertificateVerifier } from './verify.js';
