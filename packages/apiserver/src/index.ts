export {
  AuditLogBackend,
  type AuditBackend,
  type AuditOptions,
  AuditPolicyError,
  AuditWebhookBackend,
  parseAuditPolicy,
} from './audit/index.js';
export {
  adminKubeconfig,
  ensureServerIdentity,
  type IdentityFiles,
  type IdentityDependencies,
  kubeconfigText,
  memoryIdentityFiles,
  openIdentityDirectory,
  type ServerIdentity,
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
  DirectoryInUse,
  directoryOwner,
  FakeDisk,
  InvalidBackup,
  ObjectStore,
  openMemoryStore,
  openStore,
  readSnapshot,
  restoreBackup,
  RevisionMismatch,
  rewriteDirectory,
  UnsupportedFormat,
} from './storage/index.js';
