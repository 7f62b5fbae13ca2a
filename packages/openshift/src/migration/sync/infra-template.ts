import type { Frozen, JsonObject, KubeObject, OwnerReference } from '@slipway/kube';
import { keyOf, labelIndex } from '@slipway/runtime';
import { namespaces } from '../../names.js';
import type { Copy } from './to-capi.js';
import { attempted } from './synchronized.js';

const setLabel = 'machine.openshift.io/cluster-api-machineset';
const fieldManager = 'MachineSetSyncController';

/**
 * Creates the template of a set if it does not exist. Its name is derived from the spec, so an existing template never changes.
 */
export async function applyTemplate(
  { kind, conversion, observed, context }: Copy,
  mapi: Frozen<KubeObject>,
  set: KubeObject,
  name: string,
  spec: JsonObject,
  owner: OwnerReference | undefined,
): Promise<void> {
  const { infraResource } = observed;
  const key = { namespace: namespaces.clusterApi, name };
  if (observed.infraSource.get(key) !== undefined) return;
  const object: KubeObject = {
    apiVersion: conversion.apiVersion,
    kind: infraResource.kind,
    metadata: {
      ...key,
      labels: { ...set.metadata.labels, [setLabel]: set.metadata.name ?? '' },
      ...(owner && { ownerReferences: [owner] }),
    },
    spec: { template: { spec } },
  };
  await attempted(kind, mapi, 'FailedToCreateCAPIInfraMachineTemplate', context, () =>
    context.change({
      verb: 'create',
      resource: infraResource,
      object,
      fieldManager,
      reason: 'TemplateMissing',
      message: `Created ${object.kind} ${name} for MachineSet ${set.metadata.name ?? ''}`,
    }),
  );
}

/** Deletes templates that were created for the set and are no longer referenced. If `kept` is undefined, deletes all of them. */
export async function deleteOutdatedTemplates(
  { observed, context }: Copy,
  set: string,
  kept: string | undefined,
): Promise<void> {
  const templates = observed.infraSource.byIndex(labelIndex(setLabel), `${namespaces.clusterApi}/${set}`);
  const outdated = templates.filter(({ metadata }) => metadata.name !== kept);
  await context.changeAll(
    outdated.map((template) => ({
      verb: 'delete',
      resource: observed.infraResource,
      key: keyOf(template),
      reason: 'TemplateOutdated',
      message: `Deleted ${template.kind} ${template.metadata.name ?? ''}: MachineSet ${set} no longer refers to it`,
    })),
  );
}
