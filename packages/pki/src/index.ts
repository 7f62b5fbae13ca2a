export {
  type AlternativeNames,
  type Certificate,
  type CertificateSubject,
  certificateToPem,
  fingerprintOf,
  parseCertificate,
  parseCertificates,
  publicKeyPin,
} from './certificate.js';
export {
  caValidityMsDefault,
  type CertificateAndKey,
  type CertificateAuthority,
  type CertificateTemplate,
  certificateValidityMsDefault,
  clientTemplate,
  createCa,
  issueCertificate,
  needsRenewal,
  type PkiDependencies,
  selfSign,
  servingTemplate,
} from './issue.js';
export { KeyPool, type KeySource } from './key-pool.js';
export {
  generatePrivateKey,
  generatePrivateKeyOf,
  type KeyAlgorithm,
  keyAlgorithm,
  type KeyStrength,
  type PrivateKey,
  privateKeyFromPem,
  privateKeyToPem,
  type PublicKey,
  publicKeyFromPem,
  publicKeyOf,
  publicKeyToDer,
  publicKeyToJwk,
  publicKeyToPem,
} from './keys.js';
export { decodePem, encodePem } from './pem.js';
export {
  createSigningRequest,
  parseSigningRequest,
  type SigningRequest,
  type SigningRequestTemplate,
  signRequest,
} from './signing-request.js';
export { allUsages, isUsage, type KeyUsage } from './usages.js';
export { CertificateVerifier } from './verify.js';
