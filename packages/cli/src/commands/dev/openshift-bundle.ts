import { type KubernetesServer, loopbackUser } from '@slipway/apiserver';
import * as clusterApi from '@slipway/cluster-api';
import {
  createApprover,
  createMachineMigration,
  createOpenShiftOperator,
  openShiftKinds,
  type Platform,
} from '@slipway/openshift';
import {
  createSimulatedDeployments,
  createSimulatedMachineApi,
  createSimulatedProvider,
  simulatedAssets,
  type SimulatedOptions,
  simulatedKinds,
  simulatedNetworkService,
} from '@slipway/simulators';
import { remoteCluster } from '@slipway/runtime';
import { createOperatorControllers, operatorAdmission, operatorKinds, readMountedConfig } from '@slipway/operator';
import { InProcessClient } from '@slipway/plane';
import { availableProviders } from '../../providers/builtin-providers.js';
import type { ControllerBundle } from '../../providers/controller-bundle.js';

export interface OpenShiftCargoOptions {
  readonly platform: Platform;
  /** URL under which the cluster reaches its own API server. */
  readonly endpoint: string;
  readonly version: string;
}

/**
 * Returns the controllers and CRDs of an OpenShift cluster: Cluster API as installed by its operator, and a simulated cloud
 * provider.
 */
export function openShiftBundle(
  server: KubernetesServer,
  { platform, endpoint, version }: OpenShiftCargoOptions,
): ControllerBundle {
  const operator = createOpenShiftOperator({
    version,
    assets: simulatedAssets(),
    server: endpoint,
    networkService: simulatedNetworkService(),
    // User of the clients in this process, which call the server directly.
    controllerUsers: [loopbackUser.username],
  });
  const simulator: SimulatedOptions = {
    platform,
    clusterAs: (user) =>
      remoteCluster(`this server as ${user.username}`, new InProcessClient({ registry: server.registry, user })),
  };
  return {
    sets: [
      clusterApi.clusterApiControllers,
      operator,
      createOperatorControllers({ builtin: availableProviders(), readConfig: readMountedConfig }),
      createSimulatedDeployments(),
      createMachineMigration({ version }),
      createSimulatedProvider(simulator),
      createSimulatedMachineApi(simulator),
      createApprover({ apis: [{ group: 'cluster.x-k8s.io' }, { group: 'machine.openshift.io' }] }),
    ],
    kinds: ({ client, findDefinition, gates }) => ({
      name: 'openshift',
      kinds: [...clusterApi.clusterApiKinds, ...openShiftKinds, ...operatorKinds, ...simulatedKinds(platform)],
      converters: clusterApi.createConverters(
        clusterApi.clusterApiConversions,
        clusterApi.contractVersionsFrom(findDefinition),
      ),
      rules: clusterApi.bindAdmission(
        [...clusterApi.clusterApiAdmission, ...operatorAdmission],
        { ...clusterApi.featureGateDefaults, ...Object.fromEntries(gates?.entries() ?? []) },
        client,
      ),
      labels: { [clusterApi.labels.clusterctl]: '' },
    }),
  };
}
