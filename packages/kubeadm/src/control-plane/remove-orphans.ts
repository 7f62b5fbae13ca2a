import {
  formatLabelValue,
  isDeleting,
  kindOfTemplate,
  labels,
  machines,
  nameOf,
  resolveKind,
} from '@slipway/cluster-api';
import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { isOwnedBy, keyOf, labelIndex, ReconcileError, type Resource } from '@slipway/runtime';
import { kubeadmConfigs } from '../api/index.js';
import type { ControlPlanePass } from './control-plane-pass.js';

/**
 * Takes away what was made for a machine that never came to be, because we were interrupted between the two: nobody else
 * would, and infrastructure costs money. Once a Machine has taken it over it is the Machine's.
 */
export async function removeOrphans(pass: ControlPlanePass): Promise<void> {
  const { context } = pass;
  const { client, signal, logger } = context;
  for (const { resource, object } of [...(await infrastructureOf(pass)), ...configsOf(pass)]) {
    if (!isOrphan(pass, object)) continue;
    try {
      await client.delete(resource, keyOf(object), { signal, preconditions: { uid: object.metadata.uid } });
      logger.info({ [object.kind]: nameOf(object), reason: 'Orphaned' }, 'Removed what no machine was made for');
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}

interface Made {
  readonly resource: Resource;
  readonly object: Frozen<KubeObject>;
}

/** By the label that all objects of the control plane's machines bear. */
function ownText({ controlPlane, clusterKey }: ControlPlanePass): string {
  return `${clusterKey.namespace}/${formatLabelValue(nameOf(controlPlane))}`;
}

function configsOf(pass: ControlPlanePass): Made[] {
  const source = pass.context.sources.sourceFor(kubeadmConfigs);
  const found = source.byIndex(labelIndex(labels.controlPlaneName), ownText(pass));
  return found.map((object) => ({ resource: kubeadmConfigs, object }));
}

async function infrastructureOf(pass: ControlPlanePass): Promise<Made[]> {
  const { context, controlPlane } = pass;
  const { apiGroup, kind } = controlPlane.spec.machineTemplate.spec.infrastructureRef;
  try {
    const { resource } = resolveKind(context.sources, { apiGroup, kind: kindOfTemplate(kind) });
    const source = await context.follow({ resource, map: () => [] });
    return source.byIndex(labelIndex(labels.controlPlaneName), ownText(pass)).map((object) => ({ resource, object }));
  } catch (error) {
    // The provider is not installed: nothing of it can be left over.
    if (error instanceof ReconcileError) return [];
    throw error;
  }
}

function isOrphan({ controlPlane, clusterKey, context }: ControlPlanePass, object: Frozen<KubeObject>): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  if (isDeleting(object) || owners.length !== 1 || !isOwnedBy(object, controlPlane)) return false;
  const key = { namespace: clusterKey.namespace, name: nameOf(object) };
  return context.sources.sourceFor(machines).get(key) === undefined;
}
