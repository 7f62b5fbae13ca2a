export * from './admission/index.js';
export * from './api/index.js';
export type {
  EndpointMember,
  EndpointProgress,
  EndpointRequest,
  EndpointService,
  ExposureType,
} from './cluster/endpoint-service.js';
export { createKVM, type KVM, type KVMOptions } from './create-kvm.js';
export { createKVMControllers, type KVMControllersOptions } from './controllers.js';
export {
  GivenEndpoint,
  HaproxyBalancers,
  HaproxyEndpoint,
  ServiceEndpoint,
} from './endpoint/index.js';
export { buildTinyImage, type TinyImage } from './image/index.js';
export { LocalService, type LocalServiceOptions } from './local/index.js';
export type { VirtualMachineService, VmLeaving, VmReport, WantedMachine } from './machine/vm-service.js';
export {
  type ExportPlan,
  type ExportTarget,
  exportTemplate,
  type LegacyConfig,
  type MigrationPlan,
  planMigration,
} from './migration/index.js';
export { HostingClusters, PodMachines, type PodSettings, podSettingsDefault } from './pod/index.js';
