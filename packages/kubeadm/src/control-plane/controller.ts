import {
  clusters,
  definitionsWatch,
  IntentCache,
  isControlPlaneMachine,
  type Machine,
  machinePools,
  machines,
  type ObservedCluster,
  remoteConditionsGraceMs,
  workloadClusters,
} from '@slipway/cluster-api';
import { deepEqual, type Frozen, parseApiVersion } from '@slipway/kube';
import type { KeySource } from '@slipway/pki';
import {
  type Controller,
  type ControllerContext,
  controllerOf,
  createController,
  durationSetting,
  getCondition,
  type ObjectChange,
  type ObjectKey,
  type Sources,
  watch,
} from '@slipway/runtime';
import { kubeadmConfigs, type KubeadmControlPlane, kubeadmControlPlanes } from '../api/index.js';
import { createWorkloadOpener, type WorkloadOpener } from '../workload/index.js';
import { CheckedSecrets, type ControlPlaneDependencies } from './control-plane-scope.js';
import { reconcileControlPlane } from './reconcile.js';

export interface KubeadmControlPlaneOptions {
  readonly openWorkload?: WorkloadOpener;
  readonly keys?: KeySource;
}

export const etcdDialTimeout = durationSetting({
  flag: 'etcd-dial-timeout-duration',
  description: 'Timeout for connecting to etcd',
  default: '10s',
});

export const etcdCallTimeout = durationSetting({
  flag: 'etcd-call-timeout-duration',
  description: 'Timeout for a response from etcd',
  default: '15s',
});

/** Reconciles the machines of every KubeadmControlPlane. */
export function createKubeadmControlPlaneController(
  context: ControllerContext,
  options: KubeadmControlPlaneOptions = {},
): Controller {
  const { sources, settings, concurrency, watchFilter } = context;
  const workloads = workloadClusters(context);
  const etcdTimeouts = {
    dialTimeoutMs: settings.get(etcdDialTimeout),
    callTimeoutMs: settings.get(etcdCallTimeout),
  };
  const keys = options.keys ?? context.keys;
  const dependencies: ControlPlaneDependencies = {
    workloads,
    keys,
    intents: new IntentCache(),
    checkedSecrets: new CheckedSecrets(),
    openWorkload: options.openWorkload ?? createWorkloadOpener({ keys, ...etcdTimeouts }),
    remoteConditionsGraceMs: remoteConditionsGraceMs(settings),
  };
  return createController<KubeadmControlPlane>({
    name: 'kubeadmcontrolplane',
    for: kubeadmControlPlanes,
    filter: (change) => watchFilter(change) && needsReconcile(change),
    concurrency,
    watches: [
      watch(machines, { map: (machine) => controlPlanesOfMachine(sources, machine), filter: watchFilter }),
      watch(clusters, {
        map: (cluster) => controlPlaneOfCluster(cluster as ClusterReference),
        filter: ({ object, previous }) =>
          previous === undefined || concernOf(object as ClusterReference, previous as ClusterReference),
      }),
      // These objects are only cached: Machines report their state, and MachinePools are needed only for a deletion.
      { resource: kubeadmConfigs, map: () => [] },
      { resource: machinePools, map: () => [] },
      definitionsWatch,
    ],
    triggers: [
      (enqueue) =>
        workloads.onChange((cluster) => {
          for (const key of controlPlaneOfClusterKey(sources, cluster)) enqueue(key);
        }),
    ],
    reconcile: (key, reconcileContext) => reconcileControlPlane(key, reconcileContext, dependencies),
  });
}

/** Returns whether a change of the control plane triggers a reconcile. Its status changes do not, except the Paused condition. */
function needsReconcile({ object, previous, isInitial }: ObjectChange<KubeadmControlPlane>): boolean {
  if (previous === undefined || isInitial) return true;
  const { resourceVersion: _version, managedFields: _fields, ...next } = object.metadata;
  const { resourceVersion: _before, managedFields: _old, ...last } = previous.metadata;
  return !deepEqual(next, last) || !deepEqual(getCondition(object, 'Paused'), getCondition(previous, 'Paused'));
}

/** The fields of a Cluster that this controller reads. */
type ClusterReference = Pick<ObservedCluster, 'metadata'> & {
  readonly spec?: {
    readonly controlPlaneRef?: { readonly apiGroup: string; readonly kind: string; readonly name: string };
    readonly [field: string]: unknown;
  };
  readonly status?: {
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
    readonly failureDomains?: unknown;
  };
};

/**
 * Returns whether a change of a Cluster triggers a reconcile. Most changes are status updates that follow from this controller's
 * writes.
 */
function concernOf(next: ClusterReference, previous: ClusterReference): boolean {
  return (
    next.metadata.generation !== previous.metadata.generation ||
    next.status?.initialization?.infrastructureProvisioned !==
      previous.status?.initialization?.infrastructureProvisioned ||
    !deepEqual(next.status?.failureDomains, previous.status?.failureDomains) ||
    !deepEqual(next.metadata.annotations, previous.metadata.annotations)
  );
}

function controlPlaneOfCluster({ metadata, spec }: ClusterReference): ObjectKey[] {
  const reference = spec?.controlPlaneRef;
  if (reference?.kind !== kubeadmControlPlanes.kind || reference.apiGroup !== kubeadmControlPlanes.group) return [];
  return [{ namespace: metadata.namespace ?? '', name: reference.name }];
}

function controlPlaneOfClusterKey(sources: Sources, cluster: ObjectKey): ObjectKey[] {
  const found = sources.sourceFor(clusters).get(cluster);
  return found === undefined ? [] : controlPlaneOfCluster(found as ClusterReference);
}

/**
 * Returns the control planes that a Machine triggers: the one that controls it, one that can adopt it, or a deleting one that
 * waits for this worker.
 */
function controlPlanesOfMachine(sources: Sources, machine: Frozen<Machine>): ObjectKey[] {
  const namespace = machine.metadata.namespace ?? '';
  const controller = controllerOf(machine);
  if (
    controller?.kind === kubeadmControlPlanes.kind &&
    parseApiVersion(controller.apiVersion).group === kubeadmControlPlanes.group
  )
    return [{ namespace, name: controller.name }];
  const keys = controlPlaneOfClusterKey(sources, { namespace, name: machine.spec.clusterName });
  if (isControlPlaneMachine(machine)) return keys;
  return keys.filter(
    (key) => sources.sourceFor(kubeadmControlPlanes).get(key)?.metadata.deletionTimestamp !== undefined,
  );
}
