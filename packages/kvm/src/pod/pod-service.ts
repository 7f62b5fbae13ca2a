import { type Frozen, isReason, type KubeObject, parseTime } from '@slipway/kube';
import {
  type Conditioned,
  configMaps,
  confirmWanted,
  hasAnnotation,
  ifPresent,
  isConditionTrue,
  type ObjectKey,
  type Pod,
  podDisruptionBudgets,
  persistentVolumeClaims,
  pods,
  type ReconcileContext,
  ReconcileError,
  type Resource,
  secrets,
  type Trigger,
  wait,
  watch,
  type Watch,
} from '@slipway/runtime';
import { kvmAnnotations, kvmConditions, kvmLabels, kvmMachines, kvmReasons, machineSizeOf } from '../api/index.js';
import type {
  DeletingMachine,
  VirtualMachineService,
  VmCondition,
  VmRemoval,
  VmReport,
  DesiredMachine,
} from '../machine/vm-service.js';
import { adoptedDeploymentOf, removeAdopted, reportAdopted } from './adopted-machine.js';
import type { HostingClusters, PodCluster } from './hosting-cluster.js';
import { podOf } from './pod-manifest.js';
import { objectNames, podFieldManager } from './pod-names.js';
import { bootstrapSecret, diskClaims, disruptionBudget, documentConfigMap } from './pod-objects.js';
import type { PodSettings } from './pod-settings.js';
import { lostReport, podReport } from './pod-state.js';
import { keepsDisks } from './pod-volumes.js';
import { type VmDocument, vmDocumentOf } from './vm-document.js';

/** Backend that runs machines as pods. The launcher in each pod runs QEMU, and the kubelet restarts it. */
export class PodMachines implements VirtualMachineService {
  readonly backend = 'pod';
  readonly #hosting: HostingClusters;
  readonly #settings: PodSettings;

  constructor(hosting: HostingClusters, settings: PodSettings) {
    this.#hosting = hosting;
    this.#settings = settings;
  }

  watches(): readonly Watch[] {
    // A pod has the namespace and name of its machine.
    const map = ({ metadata }: Frozen<Pod>): ObjectKey[] =>
      metadata.labels?.[kvmLabels.machineUuid] === undefined
        ? []
        : [{ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }];
    return [watch(pods, { map })];
  }

  triggers(): readonly Trigger[] {
    return [this.#hosting.trigger];
  }

  async ensure(desired: DesiredMachine, context: ReconcileContext): Promise<VmReport> {
    const host = await this.#hosting.clusterFor(desired.kvmCluster, context.read);
    if (adoptedDeploymentOf(desired.kvmMachine) !== undefined) return reportAdopted(host, desired, context);
    const document = vmDocumentOf(desired);
    const pod = await findPod(host, keyOfMachine(desired), desired.uuid, context.signal);
    if (pod === undefined) return this.#make(host, desired, document, context);
    if (pod.metadata.deletionTimestamp !== undefined) return deletingPod(pod);
    if (pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded')
      return this.#replaceEnded(host, desired, document, pod, context);
    const report = podReport(pod, machineSizeOf(desired.kvmMachine.spec));
    return { ...report, conditions: [...report.conditions, ...(await this.#afterBootstrap(host, desired, context))] };
  }

  async remove(
    { kvmMachine, kvmCluster, uuid }: DeletingMachine,
    context: ReconcileContext,
  ): Promise<VmRemoval | undefined> {
    const host = await this.#hosting.clusterFor(kvmCluster, context.read);
    const key = keyOfMachine({ kvmMachine });
    if (adoptedDeploymentOf(kvmMachine) !== undefined) return removeAdopted(host, kvmMachine, context);
    const pod = await findPod(host, key, uuid, context.signal).catch((error: unknown) => {
      // findPod throws this error for a pod of another machine with the same name. That pod is kept.
      if (error instanceof ReconcileError) return undefined;
      throw error;
    });
    if (pod !== undefined) {
      const isForced = hasAnnotation(kvmMachine, kvmAnnotations.forceDelete);
      await deletePod(host, pod, isForced, context);
      if (!isForced) return shuttingDown(pod, context);
    }
    await removeObjects(host, key, uuid, context);
    return undefined;
  }

  /** Creates the pod, after the objects that it mounts. */
  async #make(
    host: PodCluster,
    desired: DesiredMachine,
    document: VmDocument,
    context: ReconcileContext,
  ): Promise<VmReport> {
    if (desired.wasProvisioned && !keepsDisks(document))
      return lostReport('the pod was deleted, and the disks of the machine with it');
    const { namespace } = keyOfMachine(desired);
    await confirmWanted(context, kvmMachines, desired.kvmMachine);
    const make = makerFor(host, desired, context);
    await make(configMaps, documentConfigMap(document, namespace));
    // A machine that has joined does not need bootstrap data, and its bootstrap token has expired.
    if (!desired.wasProvisioned) {
      const data = await desired.readBootstrapData();
      await make(secrets, bootstrapSecret(document, namespace, data));
    }
    for (const claim of diskClaims(document, namespace)) await make(persistentVolumeClaims, claim);
    await make(podDisruptionBudgets, disruptionBudget(document, namespace));
    await make(pods, podOf(document, namespace, desired.kvmCluster, this.#settings));
    return {
      state: 'pending',
      conditions: [
        {
          type: kvmConditions.vmRunning,
          status: 'False',
          reason: kvmReasons.starting,
          message: 'created the pod of this machine',
        },
      ],
      addresses: [],
      outcome: wait({ reason: kvmReasons.starting, message: 'Waiting for the pod to run' }),
    };
  }

  /**
   * Deletes a pod that has ended, so that it is created again: Kubernetes never restarts a pod after an eviction or a node
   * shutdown.
   */
  async #replaceEnded(
    host: PodCluster,
    desired: DesiredMachine,
    document: VmDocument,
    pod: Frozen<Pod>,
    context: ReconcileContext,
  ): Promise<VmReport> {
    const why = pod.status?.message ?? pod.status?.reason ?? 'it exited';
    if (desired.wasProvisioned && !keepsDisks(document))
      return lostReport(`the pod cannot run again (${why}), and the disks of the machine are lost with it`);
    await deletePod(host, pod, false, context);
    return deletingPod(pod);
  }

  /** Deletes the bootstrap Secret once the node has joined, and reports whether the bootstrap succeeded. */
  async #afterBootstrap(host: PodCluster, desired: DesiredMachine, context: ReconcileContext): Promise<VmCondition[]> {
    const { kvmMachine, machine } = desired;
    const type = kvmConditions.bootstrapSucceeded;
    if (machine.status?.nodeRef?.name === undefined)
      return [
        {
          type,
          status: 'False',
          reason: kvmReasons.bootstrapRunning,
          message: 'Waiting for the machine to join the cluster',
        },
      ];
    if (!isConditionTrue(kvmMachine as Conditioned, type)) {
      const { namespace, name } = keyOfMachine(desired);
      await context.change({
        ...host.target,
        verb: 'delete',
        resource: secrets,
        key: { namespace, name: objectNames(name).bootstrap },
        reason: 'BootstrapSucceeded',
        message: `Deleted the bootstrap data of KVMMachine ${name}, which has joined its cluster`,
      });
    }
    return [{ type, status: 'True', reason: 'Joined' }];
  }
}

function keyOfMachine({ kvmMachine }: Pick<DesiredMachine, 'kvmMachine'>): ObjectKey {
  return { namespace: kvmMachine.metadata.namespace ?? '', name: kvmMachine.metadata.name ?? '' };
}

/**
 * Reads the pod from the server, because the cache may be stale: a wrong "not found" would create a second pod or report a lost
 * machine.
 */
async function findPod(
  host: PodCluster,
  key: ObjectKey,
  uuid: string,
  signal: AbortSignal,
): Promise<Frozen<Pod> | undefined> {
  const pod = await ifPresent(host.read.get(pods, key, { signal }));
  if (pod === undefined || pod.metadata.labels?.[kvmLabels.machineUuid] === uuid) return pod;
  throw new ReconcileError('NameTaken', `pod ${key.namespace}/${key.name} is not controlled by this machine`, {
    retry: 'later',
    remedy: `delete the pod, or rename the machine`,
  });
}

type Make = <T extends KubeObject>(resource: Resource<T>, object: T) => Promise<void>;

/** Returns a function that creates objects. Objects that already exist were created by an interrupted reconcile and are kept. */
function makerFor({ target }: PodCluster, { kvmMachine }: DesiredMachine, context: ReconcileContext): Make {
  const owner = kvmMachine.metadata.name ?? '';
  return async (resource, object) => {
    try {
      await context.change({
        ...target,
        verb: 'create',
        resource,
        object,
        fieldManager: podFieldManager,
        reason: kvmReasons.starting,
        message: `Created ${resource.kind} ${(object as KubeObject).metadata.name ?? ''} for KVMMachine ${owner}`,
      });
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  };
}

async function deletePod(
  { target }: PodCluster,
  pod: Frozen<Pod>,
  isForced: boolean,
  context: ReconcileContext,
): Promise<void> {
  const { namespace = '', name = '', uid = '', deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined && !isForced) return;
  await context.change({
    ...target,
    verb: 'delete',
    resource: pods,
    key: { namespace, name },
    options: { preconditions: { uid }, ...(isForced && { gracePeriodSeconds: 0 }) },
    reason: kvmReasons.shuttingDown,
    message: isForced ? `Deleted pod ${name} without waiting for its guest` : `Shutting down the guest in pod ${name}`,
  });
}

function deletingPod(pod: Frozen<Pod>): VmReport {
  const problem = { reason: kvmReasons.shuttingDown, message: `pod ${pod.metadata.name ?? ''} is being deleted` };
  return {
    state: 'shutting-down',
    conditions: [{ type: kvmConditions.vmRunning, status: 'False', ...problem }],
    addresses: [],
    outcome: wait(problem),
  };
}

function shuttingDown(pod: Frozen<Pod>, { clock }: ReconcileContext): VmRemoval {
  const { name = '', deletionTimestamp } = pod.metadata;
  const grace = pod.spec?.terminationGracePeriodSeconds ?? 0;
  const overdueMs = typeof deletionTimestamp === 'string' ? clock.now() - parseTime(deletionTimestamp) : 0;
  // The deletionTimestamp already includes the grace period.
  const isOverdue = overdueMs > 60_000;
  return {
    state: 'shutting-down',
    condition: isOverdue
      ? {
          reason: kvmReasons.shutdownTimedOut,
          message:
            `pod ${name} is still running after its grace period of ${grace} s: its node may be lost; ` +
            `if so, annotate the KVMMachine with ${kvmAnnotations.forceDelete}`,
        }
      : {
          reason: kvmReasons.shuttingDown,
          message: `Waiting for the guest in pod ${name} to shut down within ${grace} s`,
        },
    outcome: wait({ ms: 60_000, reason: kvmReasons.shuttingDown, message: 'Waiting for the pod to be deleted' }),
  };
}

/** Deletes the machine's objects, selected by UUID so that objects of a later machine with the same name are kept. */
async function removeObjects(
  { target }: PodCluster,
  { namespace, name }: ObjectKey,
  uuid: string,
  context: ReconcileContext,
): Promise<void> {
  const list = { namespace, labelSelector: `${kvmLabels.machineUuid}=${uuid}` };
  const message = `Deleted the objects that were created for KVMMachine ${name}`;
  const kinds: readonly Resource[] = [podDisruptionBudgets, secrets, configMaps, persistentVolumeClaims];
  await context.changeAll(
    kinds.map((resource) => ({ ...target, verb: 'delete', resource, list, reason: 'MachineDeleted', message })),
  );
}
