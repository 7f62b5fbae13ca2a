import { providers } from '@slipway/cluster-api';
import { embeddedAnnotation, inventoryObject, labelOf } from '@slipway/clusterctl';
import { asJson } from '@slipway/kube';
import { ifPresent, namespaces, type Writer } from '@slipway/runtime';
import { providerResources } from '../api/index.js';
import type { EmbeddedProvider, EmbeddedProviders } from './embedded-providers.js';

/** On the namespace of a provider whose object the user deleted: the next start does not bring it back. */
const deletedAnnotation = 'slipway/provider-deleted';
const fieldManager = 'slipway';
/** What the providers of this process are published with. */
type EmbeddedWriter = Pick<Writer, 'read' | 'change'>;

const apiVersion = 'operator.cluster.x-k8s.io/v1alpha2';

/**
 * Makes an object for each provider of this process, at the version that the process has: starting a newer program is the
 * upgrade. What users switched off or deleted stays so. To be called before the controllers start.
 */
export async function publishEmbedded(writer: EmbeddedWriter, embedded: EmbeddedProviders): Promise<void> {
  await Promise.all(embedded.list.map((provider) => publish(writer, provider, embedded)));
}

/** clusterctl, stock or ours, sees a cluster that is initialized, and ours that nothing can be done to it from outside. */
export async function enterEmbedded(writer: EmbeddedWriter, provider: EmbeddedProvider): Promise<void> {
  const { namespace } = provider;
  const entry = inventoryObject(provider);
  const annotated = { ...entry, metadata: { ...entry.metadata, annotations: { [embeddedAnnotation]: 'true' } } };
  await writer.change({
    verb: 'apply',
    resource: providers,
    key: { namespace, name: labelOf(provider) },
    configuration: asJson(annotated),
    fieldManager,
    reason: 'Embedded',
    message: `Recorded ${labelOf(provider)} ${provider.version} of this process in the inventory`,
  });
}

async function publish(writer: EmbeddedWriter, provider: EmbeddedProvider, embedded: EmbeddedProviders): Promise<void> {
  const { name, namespace, type: kind, version } = provider;
  const cause = { reason: 'Embedded', message: `Published ${labelOf(provider)} ${version} of this process` };
  const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const home = await writer.change({
    verb: 'apply',
    resource: namespaces,
    key: { namespace: '', name: namespace },
    configuration: place,
    fieldManager,
    ...cause,
  });
  const resource = providerResources[kind];
  const found = await ifPresent(writer.read.get(resource, { namespace, name }));
  const isDeleted = found === undefined && home.metadata.annotations?.[deletedAnnotation] !== undefined;
  embedded.setRunning(provider, !isDeleted && isWanted(found ?? {}));
  if (isDeleted) return;
  // Somebody else's manifests: its version is theirs to choose.
  if (found?.spec?.fetchConfig !== undefined) return;
  const object = { apiVersion, kind, metadata: { name, namespace }, spec: { version } };
  const configuration = asJson(object);
  await writer.change({ verb: 'apply', resource, key: { namespace, name }, configuration, fieldManager, ...cause });
  await enterEmbedded(writer, provider);
}

/** As everywhere: without replicas nothing runs. */
export function isWanted({
  spec,
}: {
  readonly spec?: { readonly deployment?: { readonly replicas?: number }; readonly fetchConfig?: object };
}): boolean {
  return spec?.deployment?.replicas !== 0 && spec?.fetchConfig === undefined;
}

/** Records on the namespace that the user deleted a provider, or created it again. */
export async function markDeleted(writer: EmbeddedWriter, namespace: string, isDeleted: boolean): Promise<void> {
  const key = { namespace: '', name: namespace };
  const home = await ifPresent(writer.read.get(namespaces, key));
  if (home === undefined || (home.metadata.annotations?.[deletedAnnotation] !== undefined) === isDeleted) return;
  const patch = { metadata: { annotations: { [deletedAnnotation]: isDeleted ? 'true' : null } } };
  await writer.change({
    verb: 'patch',
    resource: namespaces,
    key,
    body: { type: 'merge', patch },
    fieldManager,
    reason: isDeleted ? 'ProviderDeleted' : 'ProviderCreated',
    message: `Recorded that the provider of Namespace ${namespace} was ${isDeleted ? 'deleted' : 'created'} by the user`,
  });
}
