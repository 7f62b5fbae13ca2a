import { annotations } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import { edit, isDeleting, keyOf, ownerReference } from '@slipway/runtime';
import { namespaces } from '../../names.js';
import { syncFinalizer } from '../state/deletion-plan.js';
import type { Copy } from './to-capi.js';
import { attempted } from './synchronized.js';

/**
 * Ensures the infrastructure machine. Undefined while it is created again: infrastructure machines are immutable, and a paused
 * one is safe to delete.
 */
export async function ensureInfraMachine(
  { kind, conversion, observed, context }: Copy,
  mapi: Frozen<KubeObject>,
  mirror: Frozen<KubeObject>,
  spec: JsonObject,
): Promise<Frozen<KubeObject> | undefined> {
  const { infra, infraResource } = observed;
  if (infra === undefined) {
    const { name = '', labels = {}, annotations: given = {} } = mirror.metadata;
    const isPaused = Object.hasOwn(given, annotations.paused);
    const object: KubeObject = {
      apiVersion: conversion.apiVersion,
      kind: conversion.machineKind,
      metadata: {
        namespace: namespaces.clusterApi,
        name,
        labels: { ...labels },
        ...(isPaused && { annotations: { [annotations.paused]: '' } }),
        finalizers: [syncFinalizer],
        ownerReferences: [ownerReference(mirror, { controller: true })],
      },
      spec,
    };
    return attempted(kind, mapi, 'FailedToCreateCAPIInfraMachine', context, () =>
      context.change({
        verb: 'create',
        resource: infraResource,
        object,
        reason: 'MirrorMissing',
        message: `Created ${conversion.machineKind} ${name} for the Machine of Cluster API`,
      }),
    );
  }
  if (!isDeleting(infra) && deepEqual(infra['spec'], spec)) return infra;
  await attempted(kind, mapi, 'FailedToUpdateCAPIInfraMachine', context, async () => {
    const message = `Deleted ${infra.kind} ${infra.metadata.name ?? ''} to recreate it: its spec cannot be updated`;
    const cause = { reason: 'SpecChanged', message };
    const resource = infraResource;
    const deleted = isDeleting(infra)
      ? infra
      : await context.change({ verb: 'delete', resource, key: keyOf(infra), ...cause });
    if (deleted === undefined) return;
    const bare = edit(deleted, (draft) => void (draft.metadata.finalizers = []));
    await context.change({ verb: 'patch', resource, before: deleted, after: bare, ...cause });
  });
  return undefined;
}
