import { addSampledMetric, type ControllerSet } from '@slipway/runtime';
import { clusterWebhook } from './admission/cluster-webhook.js';
import { createClusterOperatorController } from './cluster-operator/report.js';
import { createCoreClusterController } from './core-cluster/controller.js';
import { createInfraClusterController, type InfraClusterOptions } from './infra-cluster/controller.js';
import { createInstallController } from './install/controller.js';
import type { ProviderAssets, ReleaseAssets } from './install/providers.js';
import { splitComponents } from './install/service-ca.js';
import { createKubeconfigController } from './kubeconfig/controller.js';
import { MeasuredResources, openShiftMetrics } from './monitoring/metrics.js';
import { createSecretSyncController } from './secret-sync/controller.js';

export interface OpenShiftOptions {
  /** RELEASE_VERSION of the payload. */
  readonly version: string;
  readonly assets: ReleaseAssets;
  /** URL of the API server for controllers in the cluster. */
  readonly server: string;
  readonly networkService?: InfraClusterOptions['networkService'];
  readonly userDataSecrets?: readonly string[];
  /** Users exempt from the admission policies, besides the OpenShift service accounts of the controllers. */
  readonly controllerUsers?: readonly string[];
}

/** Converts the components of all providers for OpenShift. Called once, because the components are large. */
function forOpenShift({ core, infrastructure }: ReleaseAssets): ReleaseAssets {
  const rewired = (assets: ProviderAssets): ProviderAssets => ({
    ...assets,
    components: splitComponents(assets.components).carried,
  });
  return {
    core: rewired(core),
    infrastructure: new Map([...infrastructure].map(([name, assets]) => [name, rewired(assets)])),
  };
}

/** Creates the controllers of Cluster API in an OpenShift cluster, the equivalent of `cluster-capi-operator`. */
export function createOpenShiftOperator(options: OpenShiftOptions): ControllerSet {
  const assets = forOpenShift(options.assets);
  const { version, server, networkService, userDataSecrets, controllerUsers = [] } = options;
  const measured = new MeasuredResources();
  return {
    name: 'openshift',
    controllers: [
      { name: 'clusteroperatorcontroller', create: () => createClusterOperatorController(version) },
      {
        name: 'capiinstallercontroller',
        create: () => createInstallController({ version, assets, measured, controllerUsers }),
      },
      {
        name: 'coreclustercontroller',
        create({ metrics, sources }) {
          for (const metric of openShiftMetrics(sources, measured)) addSampledMetric(metrics, metric);
          return createCoreClusterController(version, measured);
        },
      },
      {
        name: 'infraclustercontroller',
        create: () => createInfraClusterController({ version, ...(networkService && { networkService }) }),
      },
      {
        name: 'secretsynccontroller',
        create: () => createSecretSyncController({ version, ...(userDataSecrets && { secretNames: userDataSecrets }) }),
      },
      { name: 'kubeconfigcontroller', create: () => createKubeconfigController({ version, server }) },
    ],
    webhooks: ({ client }) => ({ validating: [clusterWebhook(client)] }),
  };
}
