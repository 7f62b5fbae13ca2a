import type { KindAdmission } from './admission.js';
import { clusterAdmission } from './cluster.js';
import { clusterClassAdmission } from './cluster-class.js';
import { clusterResourceSetAdmission, clusterResourceSetBindingAdmission } from './cluster-resource-set.js';
import { extensionConfigAdmission } from './extension-config.js';
import { globalInClusterIpPoolAdmission, inClusterIpPoolAdmission } from './in-cluster-pool.js';
import { ipAddressAdmission, ipAddressClaimAdmission } from './ip-address.js';
import { machineAdmission } from './machine.js';
import { machineDeploymentAdmission } from './machine-deployment.js';
import { machineDrainRuleAdmission } from './machine-drain-rule.js';
import { machineHealthCheckAdmission } from './machine-health-check.js';
import { machinePoolAdmission } from './machine-pool.js';
import { machineSetAdmission } from './machine-set.js';

export {
  type AdmissionContext,
  bindAdmission,
  type BoundAdmission,
  defaultAdmissionContext,
  type Defaulter,
  defineAdmission,
  type KindAdmission,
  type Validator,
} from './admission.js';
export { defaultCluster, validateCluster } from './cluster.js';
export { matchesClassName } from './class-patches.js';
export { validateClusterClass, validateCompatible } from './cluster-class.js';
export { judgeCluster } from './judge-cluster.js';
export { judgeClusterClass, validateClassesKept } from './judge-cluster-class.js';
export {
  defaultVersion,
  setClusterLabel,
  setLabel,
  validateImmutable,
  validateSelector,
  validateTemplateMetadata,
  validateTemplateUnchanged,
  validateVersion,
} from './common.js';
export { defaultMachine, validateMachine } from './machine.js';
export { defaultMachineDeployment, validateMachineDeployment } from './machine-deployment.js';
export { defaultMachineHealthCheck, validateMachineHealthCheck } from './machine-health-check.js';
export { validateNameTemplate } from './machine-naming.js';
export { defaultMachinePool, validateMachinePool } from './machine-pool.js';
export { defaultMachineSet, preflightChecks, validateMachineSet } from './machine-set.js';
export { validateTaints } from './machine-spec.js';
export { type UpgradeFacts, validateUpgrade } from './topology.js';

/** What is done to objects of this package's kinds before they are stored. */
export const clusterApiAdmission: readonly KindAdmission[] = [
  clusterAdmission,
  clusterClassAdmission,
  machineAdmission,
  machineSetAdmission,
  machineDeploymentAdmission,
  machinePoolAdmission,
  machineHealthCheckAdmission,
  machineDrainRuleAdmission,
  clusterResourceSetAdmission,
  clusterResourceSetBindingAdmission,
  ipAddressAdmission,
  ipAddressClaimAdmission,
  inClusterIpPoolAdmission,
  globalInClusterIpPoolAdmission,
  extensionConfigAdmission,
];
