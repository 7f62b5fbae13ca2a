export { createVSphereAdmission } from './admission/index.js';
export {
  distributedNetworks,
  haproxyLoadBalancers,
  platformKinds,
  subnetSets,
  supervisorClusters,
  supervisorKinds,
  supervisorMachines,
  supervisorMachineTemplates,
  type VirtualMachine,
  virtualMachineClasses,
  virtualMachines,
  type VirtualMachineService,
  virtualMachineServices,
  virtualMachineSetResourcePolicies,
  virtualNetworks,
  type VSphereCluster,
  vsphereClusterIdentities,
  vsphereClusters,
  vsphereConversions,
  vsphereDeploymentZones,
  vsphereFailureDomains,
  vsphereKinds,
  vsphereLabels,
  type VSphereMachine,
  vsphereMachines,
  vsphereMachineTemplates,
  vsphereVms,
} from './api/index.js';
export { providerIdOf } from './machine/index.js';
export { whenInstalled } from './modes/when-installed.js';
export { createSupervisorControllers } from './supervisor/controllers.js';
export { vmLabels } from './supervisor/names.js';
export { clusterInfo } from './supervisor/service-discovery/supervisor-address.js';
export { createVCenter, type VCenter, type VCenterOptions } from './vcenter/controllers.js';
export { parseAuthority } from './vcenter/load-balancer/data-plane-credentials.js';
export { haproxyPorts, loadBalancerConfiguration } from './vcenter/load-balancer/haproxy-configuration.js';
export { ownerClusterKey } from './vcenter/owner-cluster.js';
export { isLoadBalancer, observeParents } from './vcenter/vm/vm-parents.js';
export {
  AmbiguousInInventory,
  ClusterModules,
  type Data,
  Finder,
  findNetwork,
  isA,
  isFault,
  keyOf,
  make,
  NotFoundInInventory,
  type ObjectRef,
  type ObjectState,
  parseServerAddress,
  readTask,
  RestError,
  retrieve,
  retrieveAll,
  retrieveOne,
  SessionPool,
  type SessionSummary,
  StoragePolicies,
  Tags,
  TaskFailed,
  taskRef,
  thumbprintsOf,
  VimConnectionError,
  VimFault,
  VimSession,
  waitForTask,
} from './vim25/index.js';
