import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import type { ObjectChange, ObjectKey, Sources } from '@slipway/runtime';
import { annotations, labels, machineSets } from '../api/index.js';
import { controlPlane, failureMessage, fieldAt, resolveKind } from '../contract/index.js';
import { sumVersions } from '../machines/index.js';
import type { MachineSetPass } from './machine-set-pass.js';
import { type ControlPlaneState, runPreflightChecks } from './preflight-checks.js';
import { keysOfCluster } from '../reconcile/index.js';

/** Finds out what speaks against new machines. Looked at again as soon as the versions of the control plane change. */
export async function checkPreflight(pass: MachineSetPass): Promise<void> {
  try {
    await check(pass);
  } catch (error) {
    pass.preflightFailures = [`the preflight checks failed: ${failureMessage(error)}`];
    throw error;
  }
}

async function check(pass: MachineSetPass): Promise<void> {
  const { cluster, set, tools } = pass;
  if (cluster === undefined) {
    pass.preflightFailures = [`Cluster ${set.spec.clusterName} does not exist`];
    return;
  }
  const reference = cluster.spec.controlPlaneRef;
  if (reference === undefined || tools.preflightChecks.length === 0) return;
  const found = await observeControlPlane(pass, reference);
  if (found === undefined) {
    pass.preflightFailures = [`${reference.kind} ${set.metadata.namespace ?? ''}/${reference.name} does not exist`];
    return;
  }
  const skip = pass.templates?.bootstrap?.object?.metadata.annotations?.[annotations.skipPreflightChecks];
  const failures = runPreflightChecks({
    machineSet: set,
    controlPlane: found,
    topologyVersion: cluster.spec.topology?.version,
    enabled: tools.preflightChecks,
    ...(skip === undefined ? {} : { bootstrapTemplateSkip: skip }),
  });
  pass.preflightFailures = failures.map(({ message }) => message);
}

async function observeControlPlane(
  { context, set }: MachineSetPass,
  reference: { readonly apiGroup: string; readonly kind: string; readonly name: string },
): Promise<ControlPlaneState | undefined> {
  const { resource, contract } = resolveKind(context.sources, reference);
  const source = await context.follow({
    resource,
    filter: versionsChanged,
    map: (object) => setsOfCluster(context.sources, object),
  });
  const namespace = set.metadata.namespace ?? '';
  const object = source.get({ namespace, name: reference.name });
  if (object === undefined) return undefined;
  const { specVersion, statusVersion, versions } = controlPlane.read(object, contract);
  const lowest = sumVersions(versions)?.[0]?.version;
  return {
    kind: reference.kind,
    namespace,
    name: reference.name,
    version: specVersion,
    statusVersion: statusVersion ?? lowest,
  };
}

/** A control plane reports much that has nothing to do with whether machines may join it. */
function versionsChanged({ object, previous }: ObjectChange): boolean {
  const versionsOf = (from: Frozen<KubeObject>): readonly unknown[] => [
    fieldAt(from, 'spec', 'version'),
    fieldAt(from, 'status', 'version'),
    fieldAt(from, 'status', 'versions'),
  ];
  return previous === undefined || !deepEqual(versionsOf(object), versionsOf(previous));
}

function setsOfCluster(sources: Sources, object: Frozen<KubeObject>): ObjectKey[] {
  const cluster = object.metadata.labels?.[labels.clusterName];
  if (cluster === undefined) return [];
  return keysOfCluster(sources, machineSets, { namespace: object.metadata.namespace ?? '', name: cluster });
}
