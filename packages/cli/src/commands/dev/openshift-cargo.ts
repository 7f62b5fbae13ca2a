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
  createStandInDeployments,
  createStandInMachineApi,
  createStandInProvider,
  standInAssets,
  type StandInOptions,
  standInKinds,
  standInNetworkService,
} from '@slipway/simulators';
import { remoteCluster } from '@slipway/runtime';
import { createOperatorControllers, operatorAdmission, operatorKinds, readMountedConfig } from '@slipway/operator';
import { InProcessClient } from '@slipway/plane';
import { builtinProviders } from '../../providers/builtin-providers.js';
import type { Cargo } from '../../providers/controllers.js';

export interface OpenShiftCargoOptions {
  readonly platform: Platform;
  /** Under which the cluster reaches itself. */
  readonly endpoint: string;
  readonly version: string;
}

/** An OpenShift cluster: its kinds, Cluster API as its operator brings it, and a provider that stands in for a cloud. */
export function openShiftCargo(
  server: KubernetesServer,
  { platform, endpoint, version }: OpenShiftCargoOptions,
): Cargo {
  const operator = createOpenShiftOperator({
    version,
    assets: standInAssets(),
    server: endpoint,
    networkService: standInNetworkService(),
    // In this process everybody is the server itself.
    controllerUsers: [loopbackUser.username],
  });
  const standIn: StandInOptions = {
    platform,
    clusterAs: (user) =>
      remoteCluster(`this server as ${user.username}`, new InProcessClient({ registry: server.registry, user })),
  };
  return {
    sets: [
      clusterApi.clusterApiControllers,
      operator,
      createOperatorControllers({ builtin: builtinProviders, readConfig: readMountedConfig }),
      createStandInDeployments(),
      createMachineMigration({ version }),
      createStandInProvider(standIn),
      createStandInMachineApi(standIn),
      createApprover({ apis: [{ group: 'cluster.x-k8s.io' }, { group: 'machine.openshift.io' }] }),
    ],
    kinds: ({ client, findDefinition, gates }) => ({
      name: 'openshift',
      kinds: [...clusterApi.clusterApiKinds, ...openShiftKinds, ...operatorKinds, ...standInKinds(platform)],
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
