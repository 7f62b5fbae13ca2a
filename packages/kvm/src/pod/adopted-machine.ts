import type { Frozen, JsonObject } from '@slipway/kube';
import { type Deployment, deployments, ifPresent, type Pod, pods, type ReconcileContext, wait } from '@slipway/runtime';
import { type KVMMachine, kvmLabels, kvmReasons, machineSizeOf } from '../api/index.js';
import type { VmRemoval, VmReport, DesiredMachine } from '../machine/vm-service.js';
import type { PodCluster } from './hosting-cluster.js';
import { adoptedDeploymentAnnotation, machineLabels } from './pod-names.js';
import { lostReport, podReport } from './pod-state.js';

/** Annotation in which the legacy operator records the address of the guest. */
const guestAddressAnnotation = 'endpoint.kvm.giantswarm.io/ip';
const legacyContainer = 'k8s-kvm';

/** Returns the name of the legacy Deployment of an adopted machine. */
export function adoptedDeploymentOf({ metadata }: Frozen<KVMMachine>): string | undefined {
  return metadata.annotations?.[adoptedDeploymentAnnotation];
}

/**
 * Reports a machine that the legacy operator started. Only the labels of its pod are changed, so that the Service selects it: a
 * change of the Deployment would restart the pod.
 */
export async function reportAdopted(
  host: PodCluster,
  desired: DesiredMachine,
  context: ReconcileContext,
): Promise<VmReport> {
  const { kvmMachine, machine, uuid, isControlPlane } = desired;
  const deployment = await findDeployment(host, kvmMachine, context);
  const pod = deployment && (await podOfDeployment(host, deployment, context));
  if (pod === undefined) return lostReport(`Deployment ${adoptedDeploymentOf(kvmMachine) ?? ''} has no pod`);
  const desiredLabels = machineLabels({ clusterName: machine.spec.clusterName, uuid, isControlPlane });
  await label(host, pod, desiredLabels, context);
  const named = pod.spec?.containers.some(({ name }) => name === legacyContainer) === true;
  const container = named ? legacyContainer : (pod.spec?.containers[0]?.name ?? '');
  const address = pod.metadata.annotations?.[guestAddressAnnotation] ?? pod.status?.podIP;
  const seen = {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...desiredLabels } },
    status: { ...pod.status, ...(address !== undefined && { podIP: address }) },
  };
  return podReport(seen, machineSizeOf(kvmMachine.spec), container);
}

/** Removes an adopted machine. The lifecycle hooks of the legacy pod shut down the guest. */
export async function removeAdopted(
  host: PodCluster,
  kvmMachine: Frozen<KVMMachine>,
  context: ReconcileContext,
): Promise<VmRemoval | undefined> {
  const deployment = await findDeployment(host, kvmMachine, context);
  const { namespace = '' } = kvmMachine.metadata;
  if (deployment !== undefined && deployment.metadata.deletionTimestamp === undefined) {
    await context.change({
      ...host.target,
      verb: 'delete',
      resource: deployments,
      key: { namespace, name: deployment.metadata.name ?? '' },
      options: { propagationPolicy: 'Background' },
      reason: 'MachineDeleted',
      message: `Deleting the Deployment of KVMMachine ${kvmMachine.metadata.name ?? ''}`,
    });
  }
  const uuid = kvmMachine.spec?.providerID?.replace('kvm://', '') ?? '';
  const labelSelector = `${kvmLabels.machineUuid}=${uuid}`;
  const { items } = await host.read.list(pods, { namespace, labelSelector, signal: context.signal });
  if (items.length === 0) return undefined;
  const message = `pod ${(items[0] as Frozen<Pod>).metadata.name ?? ''} is shutting down its guest`;
  const reason = kvmReasons.shuttingDown;
  return { state: 'shutting-down', condition: { reason, message }, outcome: wait({ ms: 10_000, reason, message }) };
}

function findDeployment(
  host: PodCluster,
  kvmMachine: Frozen<KVMMachine>,
  { signal }: ReconcileContext,
): Promise<Frozen<Deployment> | undefined> {
  const key = { namespace: kvmMachine.metadata.namespace ?? '', name: adoptedDeploymentOf(kvmMachine) ?? '' };
  return ifPresent(host.read.get(deployments, key, { signal }));
}

async function podOfDeployment(
  host: PodCluster,
  { metadata, spec }: Frozen<Deployment>,
  { signal }: ReconcileContext,
): Promise<Frozen<Pod> | undefined> {
  const labelSelector = Object.entries(spec?.selector.matchLabels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
  const { items } = await host.read.list(pods, { namespace: metadata.namespace ?? '', labelSelector, signal });
  return items.find((pod) => (pod as Frozen<Pod>).metadata.deletionTimestamp === undefined);
}

async function label(
  host: PodCluster,
  pod: Frozen<Pod>,
  desired: Readonly<Record<string, string>>,
  context: ReconcileContext,
): Promise<void> {
  const { namespace = '', name = '', labels = {} } = pod.metadata;
  // The patch only adds labels of the machine: labels in the selector of the Deployment must not change.
  if (Object.entries(desired).every(([key, value]) => labels[key] === value)) return;
  const patch: JsonObject = { metadata: { labels: { ...desired } } };
  await context.change({
    ...host.target,
    verb: 'patch',
    resource: pods,
    key: { namespace, name },
    body: { type: 'merge', patch },
    reason: 'MachineAdopted',
    message: `Labelled pod ${name} with the machine that it runs`,
  });
}
