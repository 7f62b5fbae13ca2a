import {
  type Cluster,
  clusters,
  featureGateDefaults,
  labels,
  type Machine,
  type MachinePool,
  machinePools,
  machines,
  workloadClusters,
} from '@slipway/cluster-api';
import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import type { KeySource } from '@slipway/pki';
import {
  type Controller,
  type ControllerContext,
  createController,
  customResourceDefinitions,
  durationSetting,
  getCondition,
  keyOf,
  labelIndex,
  type ObjectKey,
  type Predicate,
  type Sources,
  watch,
} from '@slipway/runtime';
import { type KubeadmConfig, kubeadmConfigs } from '../api/index.js';
import { machineOwner, machinePoolOwner } from './decide-step.js';
import { CheckSchedule, type ConfigDependencies } from './config-scope.js';
import { reconcileKubeadmConfig } from './reconcile.js';

export const bootstrapTokenTtl = durationSetting({
  flag: 'bootstrap-token-ttl',
  description: 'Lifetime of the bootstrap tokens with which machines join',
  default: '15m',
});

export interface KubeadmConfigControllerOptions {
  readonly keys?: KeySource;
}

/** Creates the controller that generates bootstrap data from the KubeadmConfig of each Machine and MachinePool. */
export function createKubeadmConfigController(
  context: ControllerContext,
  options: KubeadmConfigControllerOptions = {},
): Controller {
  const { sources, clock, concurrency, watchFilter } = context;
  const workloads = workloadClusters(context);
  const pools = isPoolGateOpen(context);
  const dependencies: ConfigDependencies = {
    workloads,
    keys: options.keys ?? context.keys,
    tokenTtlMs: context.settings.get(bootstrapTokenTtl),
    tokenSchedule: new CheckSchedule(clock),
    ownerSchedule: new CheckSchedule(clock),
    pools,
  };
  return createController<KubeadmConfig>({
    name: 'kubeadmconfig',
    for: kubeadmConfigs,
    filter: watchFilter,
    concurrency,
    watches: [
      watch(machines, { map: configOfMachine, filter: (change) => watchFilter(change) && machineMatters(change) }),
      ...(pools
        ? [watch(machinePools, { map: configOfPool, filter: (change) => watchFilter(change) && poolMatters(change) })]
        : []),
      watch(clusters, {
        map: (cluster) => configsOfCluster(sources, keyOf(cluster), pools),
        filter: (change) => watchFilter(change) && clusterMatters(change),
      }),
      // CRDs are only cached: template files reference the control plane object, and its CRD determines the version of its kind.
      { resource: customResourceDefinitions, map: () => [] },
    ],
    triggers: [
      (enqueue) =>
        workloads.onChange((cluster, connected) => {
          if (connected) for (const key of configsOfCluster(sources, cluster, pools)) enqueue(key);
        }),
    ],
    reconcile: (key, reconcileContext) => reconcileKubeadmConfig(key, reconcileContext, dependencies),
  });
}

/** Whether the MachinePool feature gate is enabled. It is undefined without the core controllers. */
function isPoolGateOpen({ featureGates }: ControllerContext): boolean {
  const found = featureGates.entries().find(([name]) => name === 'MachinePool');
  return found?.[1] ?? featureGateDefaults.MachinePool;
}

const clusterIndex = labelIndex(labels.clusterName);

function configsOfCluster(sources: Sources, cluster: ObjectKey, pools: boolean): ObjectKey[] {
  const value = `${cluster.namespace}/${cluster.name}`;
  return [
    ...sources.sourceFor(machines).byIndex(clusterIndex, value).flatMap(configOfMachine),
    ...(pools ? sources.sourceFor(machinePools).byIndex(clusterIndex, value).flatMap(configOfPool) : []),
  ];
}

function configOfMachine(machine: Frozen<Machine>): ObjectKey[] {
  return configOf(machine.metadata.namespace, machine.spec.bootstrap.configRef);
}

function configOfPool(pool: Frozen<MachinePool>): ObjectKey[] {
  return configOf(pool.metadata.namespace, pool.spec.template.spec.bootstrap.configRef);
}

function configOf(
  namespace: string | undefined,
  reference: { readonly apiGroup: string; readonly kind: string; readonly name: string } | undefined,
): ObjectKey[] {
  if (reference?.kind !== kubeadmConfigs.kind || reference.apiGroup !== kubeadmConfigs.group) return [];
  return [{ namespace: namespace ?? '', name: reference.name }];
}

/** Returns whether a Cluster changed in a field that KubeadmConfigs depend on. Other changes must not trigger a reconcile. */
const clusterMatters = differingIn<Cluster>(({ spec, ...cluster }) => [
  spec?.paused,
  spec?.controlPlaneEndpoint,
  spec?.controlPlaneRef,
  cluster.status?.initialization?.infrastructureProvisioned,
  getCondition(cluster, 'ControlPlaneInitialized')?.status,
]);
const machineMatters = differingIn<Machine>((machine) => [machineOwner(machine), machine.spec.bootstrap.configRef]);
const poolMatters = differingIn<MachinePool>((pool) => [
  machinePoolOwner(pool),
  pool.spec.template.spec.bootstrap.configRef,
]);

function differingIn<T extends KubeObject>(factsOf: (object: Frozen<T>) => unknown): Predicate<T> {
  return ({ object, previous }) =>
    previous === undefined || object === previous || !deepEqual(factsOf(object), factsOf(previous));
}
