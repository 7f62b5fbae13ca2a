import { annotations } from '@slipway/cluster-api';
import { deepEqual, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import { edit, ifPresent, isDeleting, keyOf, ownerReference, patchObject } from '@slipway/runtime';
import { namespaces } from '../../names.js';
import { syncFinalizer } from '../state/deletion-plan.js';
import type { Copy } from './to-capi.js';
import { attempted } from './synchronized.js';

/** Undefined while it is made again: an infra machine cannot be changed, and nobody acts on a paused one. */
export async function ensureInfraMachine(
  { kind, conversion, observed, context }: Copy,
  mapi: Frozen<KubeObject>,
  mirror: Frozen<KubeObject>,
  spec: JsonObject,
): Promise<Frozen<KubeObject> | undefined> {
  const { client, signal } = context;
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
      client.create(infraResource, object, { signal }),
    );
  }
  if (!isDeleting(infra) && deepEqual(infra['spec'], spec)) return infra;
  await attempted(kind, mapi, 'FailedToUpdateCAPIInfraMachine', context, async () => {
    const going = isDeleting(infra) ? infra : await ifPresent(client.delete(infraResource, keyOf(infra), { signal }));
    if (going === undefined) return;
    const bare = edit(going, (draft) => void (draft.metadata.finalizers = []));
    await patchObject(client, infraResource, going, bare, { signal });
  });
  return undefined;
}
