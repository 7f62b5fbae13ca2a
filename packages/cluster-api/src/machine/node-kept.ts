import { isReason } from '@slipway/kube';
import { isDeleting, labelIndex } from '@slipway/runtime';
import { labels, machines } from '../api/index.js';
import { controlPlane, infrastructureMachine, resolveKind } from '../contract/index.js';
import { connectedClient, nodeByProviderId } from '../workload/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import { changeMachine, type MachineScope, statusOf } from './machine-scope.js';

/**
 * Why a machine goes without its Node being drained and deleted; undefined when it is. With the cluster or its control plane
 * going, there is nothing to move pods to, and soon nobody to ask.
 */
export async function whyNodeIsKept(scope: MachineScope): Promise<string | undefined> {
  const { cluster } = scope;
  if (cluster === undefined || isDeleting(cluster)) return 'cluster is being deleted';
  await lookForNode(scope);
  if (scope.machine.status?.nodeRef === undefined) return 'noderef is nil';
  const controlPlaneState = await stateOfControlPlane(scope);
  if (controlPlaneState === 'deleting') return 'control plane is being deleted';
  if (controlPlaneState === 'external') return undefined;
  return hasActiveControlPlane(scope) ? undefined : 'no control plane members';
}

/** A machine may be deleted before its Node was noted. What cannot be found now is left alone. */
async function lookForNode(scope: MachineScope): Promise<void> {
  const { machine, infrastructure, settings, clusterKey, context } = scope;
  if (machine.status?.nodeRef !== undefined) return;
  const providerId =
    machine.spec.providerID ??
    (infrastructure.type === 'found'
      ? infrastructureMachine.read(infrastructure.object, infrastructure.kind.contract).providerId
      : undefined);
  if (providerId === undefined) return;
  try {
    connectedClient(settings.workloads, clusterKey);
    const node = await nodeByProviderId(settings.workloads, clusterKey, providerId, context.signal);
    if (node === undefined) return;
    changeMachine(scope, (draft) => void (statusOf(draft).nodeRef = { name: node.metadata.name ?? '' }));
  } catch (error) {
    context.logger.info({ err: error }, 'Looking for the Node of a deleted machine failed');
  }
}

async function stateOfControlPlane(scope: MachineScope): Promise<'deleting' | 'external' | 'own'> {
  const { context, cluster } = scope;
  const reference = cluster?.spec.controlPlaneRef;
  if (reference === undefined) return 'own';
  const { resource, contract } = resolveKind(context.sources, reference);
  const key = { namespace: scope.clusterKey.namespace, name: reference.name };
  try {
    const object = await context.client.get(resource, key, { signal: context.signal });
    if (isDeleting(object)) return 'deleting';
    return controlPlane.read(object, contract).externallyManaged ? 'external' : 'own';
  } catch (error) {
    if (isReason(error, 'NotFound')) return 'own';
    throw error;
  }
}

function hasActiveControlPlane({ context, clusterKey }: MachineScope): boolean {
  const { namespace, name } = clusterKey;
  const all = context.sources.sourceFor(machines).byIndex(labelIndex(labels.clusterName), `${namespace}/${name}`);
  return all.some((machine) => isControlPlaneMachine(machine) && !isDeleting(machine));
}
