import type { Kind } from '@slipway/kube';
import { cluster } from './cluster.js';
import { clusterClass } from './cluster-class.js';
import { clusterResourceSet } from './cluster-resource-set.js';
import { clusterResourceSetBinding } from './cluster-resource-set-binding.js';
import { extensionConfig } from './extension-config.js';
import { globalInClusterIpPool } from './global-in-cluster-ip-pool.js';
import { inClusterIpPool } from './in-cluster-ip-pool.js';
import { ipAddress } from './ip-address.js';
import { ipAddressClaim } from './ip-address-claim.js';
import { machine } from './machine.js';
import { machineDeployment } from './machine-deployment.js';
import { machineDrainRule } from './machine-drain-rule.js';
import { machineHealthCheck } from './machine-health-check.js';
import { machinePool } from './machine-pool.js';
import { machineSet } from './machine-set.js';
import { provider } from './provider.js';

/** Every kind of this package. */
export const clusterApiKinds: readonly Kind[] = [
  clusterClass,
  clusterResourceSetBinding,
  clusterResourceSet,
  cluster,
  extensionConfig,
  globalInClusterIpPool,
  inClusterIpPool,
  ipAddressClaim,
  ipAddress,
  machineDeployment,
  machineDrainRule,
  machineHealthCheck,
  machinePool,
  machineSet,
  machine,
  provider,
];
