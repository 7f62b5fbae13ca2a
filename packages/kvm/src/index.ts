export { kvmAdmission } from './admission/index.js';
export {
  type KVMCluster,
  kvmClusters,
  kvmConversions,
  kvmKinds,
  type KVMMachine,
  kvmMachines,
  kvmMachineTemplates,
} from './api/index.js';
export { createKVMControllers } from './controllers.js';
export { createKVM } from './create-kvm.js';
export { buildNodeImage, buildTinyImage, ImageBuildError, storeTinyImage, type TinyImage } from './image/index.js';
export { LocalService, pruneImages } from './local/index.js';
export type { VirtualMachineService, VmRemoval, VmReport, DesiredMachine } from './machine/vm-service.js';
export { GivenEndpoint, ServiceEndpoint } from './endpoint/index.js';
export { LaunchError, pingLaunch, prepareLaunch, reachGuest, runLaunch } from './launcher/index.js';
export {
  applyMigration,
  AuthorityError,
  authoritySecrets,
  exportTemplate,
  type LegacyConfig,
  legacyConfigs,
  type MigrationPlan,
  planMigration,
} from './migration/index.js';
