export {
  AuditLogBackend,
  type AuditBackend,
  type AuditOptions,
  AuditPolicyError,
  AuditWebhookBackend,
  parseAuditPolicy,
} from './audit/index.js';
export { parseControllers } from './controllers/index.js';
export {
  adminKubeconfig,
  type AuthenticationConfiguration,
  AuthenticationConfigurationError,
  ensureServerIdentity,
  type IdentityFiles,
  type IdentityDependencies,
  kubeconfigText,
  memoryIdentityFiles,
  openIdentityDirectory,
  parseAuthenticationConfiguration,
  type TokenWebhook,
  type ServerIdentity,
  serviceAccountIssuer,
  servingHosts,
} from './auth/index.js';
export type {
  AdmissionPlugin,
  AdmissionRequest,
  Caller,
  Registry,
  ResourceEndpoint,
  StorageKey,
  Store,
  StoreEvent,
  UserInfo,
  WatchEvent,
} from './contract/index.js';
export {
  DecryptionFailed,
  Encryption,
  EncryptionConfigurationError,
  KmsUnavailable,
  parseEncryptionConfiguration,
} from './encryption/index.js';
export {
  decodeProtobuf,
  decodeWatchFrame,
  type ParseLargeYaml,
  PlainServer,
  serverVersion,
} from './http/index.js';
export type { Converter } from './kinds/index.js';
export { LoopbackClient, loopbackUser } from './registry/index.js';
export {
  KubernetesServer,
  type KubernetesServerOptions,
  preferShortPauses,
  preferSmallHeap,
  type ServingIdentity,
} from './server/index.js';
export {
  backupDirectory,
  DamagedStore,
  type DataVersion,
  DirectoryInUse,
  directoryOwner,
  FakeDisk,
  InvalidBackup,
  ObjectStore,
  openMemoryStore,
  openStore,
  readSnapshot,
  readStoredObjects,
  restoreBackup,
  RevisionMismatch,
  rewriteDirectory,
  storageMetrics,
  type StoredRecord,
  type TakenBackup,
  UnsupportedFormat,
  type VersionOptions,
} from './storage/index.js';
