export * from './admission/index.js';
export * from './api/index.js';
export type {
  EndpointMember,
  EndpointProgress,
  EndpointRequest,
  EndpointService,
  ExposureType,
} from './cluster/endpoint-service.js';
export { createKVMControllers, type KVMControllersOptions } from './controllers.js';
export { createKVM, type KVM, type KVMWorld } from './create-kvm.js';
export { buildNodeImage, buildTinyImage, ImageBuildError, storeTinyImage, type TinyImage } from './image/index.js';
export { LocalService, type LocalServiceOptions, pruneImages } from './local/index.js';
export type { VirtualMachineService, VmLeaving, VmReport, WantedMachine } from './machine/vm-service.js';
export { GivenEndpoint, ServiceEndpoint } from './endpoint/index.js';
export {
  LaunchError,
  type LauncherFolders,
  pingLaunch,
  prepareLaunch,
  reachGuest,
  runLaunch,
} from './launcher/index.js';
export {
  type AppliedMigration,
  applyMigration,
  AuthorityError,
  authoritySecrets,
  type ExportPlan,
  type ExportTarget,
  exportTemplate,
  type LegacyConfig,
  legacyConfigs,
  type MigrationPlan,
  planMigration,
} from './migration/index.js';
