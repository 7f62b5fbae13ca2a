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
  defaultAdmissionContext,
  defineAdmission,
  type KindAdmission,
} from './admission.js';
export { validateClassesKept } from './validate-cluster-class-live.js';
export {
  defaultVersion,
  validateImmutable,
  validateSelector,
  validateTemplateMetadata,
  validateTemplateUnchanged,
  validateVersion,
} from './common.js';
export { validateNameTemplate } from './machine-naming.js';
export { preflightChecks } from './machine-set.js';
export { validateTaints } from './machine-spec.js';
export { validateUpgrade } from './topology.js';

/** Defaulting and validation of this package's kinds. */
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
