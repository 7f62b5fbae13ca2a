import { crdMigrator, remoteConditionsGracePeriod, skipCrdMigrationPhases } from '@slipway/cluster-api';
import type { ControllerSet } from '@slipway/runtime';
import { kubeadmConfig, kubeadmConfigTemplate, kubeadmControlPlane, kubeadmControlPlaneTemplate } from './api/index.js';
import { bootstrapTokenTtl, createKubeadmConfigController } from './config/controller.js';
import { createKubeadmControlPlaneController, etcdCallTimeout, etcdDialTimeout } from './control-plane/controller.js';

/**
 * The controllers of the kubeadm bootstrap and control plane providers. Their CRDs, admission and conversions are installed
 * separately.
 */
export const kubeadmControllers: ControllerSet = {
  name: 'kubeadm',
  settings: [bootstrapTokenTtl, remoteConditionsGracePeriod, etcdDialTimeout, etcdCallTimeout, skipCrdMigrationPhases],
  controllers: [
    {
      name: 'kubeadmconfig',
      concurrencyDefault: 100,
      create: (context) => createKubeadmConfigController(context),
    },
    {
      name: 'kubeadmcontrolplane',
      concurrencyDefault: 100,
      create: (context) => createKubeadmControlPlaneController(context),
    },
    // Each provider has its own migrator, because they can be installed separately.
    crdMigrator({ name: 'kubeadm-bootstrap-crdmigrator', kinds: [kubeadmConfig, kubeadmConfigTemplate] }),
    crdMigrator({
      name: 'kubeadm-control-plane-crdmigrator',
      kinds: [kubeadmControlPlane, kubeadmControlPlaneTemplate],
    }),
  ],
};
