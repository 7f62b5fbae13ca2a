import { deepEqual, type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  customResourceDefinitions,
  ReconcileError,
  type ReconcileContext,
  type Sources,
  type Watch,
} from '@slipway/runtime';
import { contractLabelPrefix } from '../api/index.js';
import {
  type Contract,
  contracts,
  definitionNameOf,
  fieldAt,
  type KindReference,
  type ProviderKind,
  resolveKind,
} from '../contract/index.js';
import type { ObservedObject } from './topology-state.js';

export interface VersionedReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Returns the kind in the API version that a ClusterClass references, and the contract of that version. */
export function kindAtVersion(
  sources: Sources,
  reference: Pick<VersionedReference, 'apiVersion' | 'kind'>,
): ProviderKind {
  const { group, version } = parseApiVersion(reference.apiVersion);
  const preferred = resolveKind(sources, { apiGroup: group, kind: reference.kind });
  if (preferred.resource.version === version) return preferred;
  const name = definitionNameOf(group, reference.kind);
  const definition = sources.sourceFor(customResourceDefinitions).get({ namespace: '', name });
  const contract = contractOf(definition?.metadata.labels ?? {}, version) ?? preferred.contract;
  return { contract, resource: { ...preferred.resource, version } };
}

function contractOf(labels: Readonly<Record<string, string>>, version: string): Contract | undefined {
  return contracts.find((contract) => (labels[`${contractLabelPrefix}${contract}`] ?? '').split('_').includes(version));
}

/**
 * Returns the API version to read a topology object in: that of the template in the class if group and kind match, so that
 * desired and current objects are compared in one version.
 */
export function kindLike(
  sources: Sources,
  reference: KindReference,
  template: ObservedObject | undefined,
): ProviderKind {
  if (template !== undefined) {
    const { group } = parseApiVersion(template.apiVersion);
    const isSame = template.kind === reference.kind || template.kind === `${reference.kind}Template`;
    if (group === reference.apiGroup && isSame) {
      return kindAtVersion(sources, { apiVersion: template.apiVersion, kind: reference.kind });
    }
  }
  return resolveKind(sources, reference);
}

/** Reads an object from a cache, which is started on first use. Throws if the object does not exist. */
export async function readObject(
  context: Pick<ReconcileContext, 'follow'>,
  kind: ProviderKind,
  key: { readonly namespace: string; readonly name: string },
  map: Watch['map'],
): Promise<Frozen<KubeObject>> {
  const source = await context.follow({ resource: kind.resource, map, filter: isRelevant });
  const object = source.get(key);
  if (object !== undefined) return object;
  throw new ReconcileError(
    'ObjectNotFound',
    `failed to retrieve ${kind.resource.kind} ${key.namespace}/${key.name}: it does not exist`,
    { retry: 'onChange', remedy: 'create it, or correct the reference to it' },
  );
}

/** Returns whether a change affects a topology. Of the status only the versions do: control planes change other fields often. */
const isRelevant: NonNullable<Watch['filter']> = ({ type, object, previous }) => {
  if (type !== 'updated' || previous === undefined || previous === object) return true;
  const [now, before] = [object.metadata, previous.metadata];
  return (
    now.generation !== before.generation ||
    now.deletionTimestamp !== before.deletionTimestamp ||
    !deepEqual(now.labels, before.labels) ||
    !deepEqual(now.annotations, before.annotations) ||
    !deepEqual(now.ownerReferences, before.ownerReferences) ||
    !deepEqual(fieldAt(object, 'status', 'versions'), fieldAt(previous, 'status', 'versions')) ||
    fieldAt(object, 'status', 'version') !== fieldAt(previous, 'status', 'version')
  );
};
