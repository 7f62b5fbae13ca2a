import { providers } from '@slipway/cluster-api';
import { embeddedAnnotation, inventoryObject, labelOf } from '@slipway/clusterctl';
import { asJson } from '@slipway/kube';
import { ifPresent, namespaces, type Writer } from '@slipway/runtime';
import { providerResources } from '../api/index.js';
import type { EmbeddedProvider, EmbeddedProviders } from './embedded-providers.js';

/** Annotation of the namespace of a provider that the user deleted, so that the next start does not re-create it. */
const deletedAnnotation = 'slipway/provider-deleted';
const fieldManager = 'slipway';
/** Writer for the objects of embedded providers. */
type EmbeddedWriter = Pick<Writer, 'read' | 'change'>;

const apiVersion = 'operator.cluster.x-k8s.io/v1alpha2';

/**
 * Creates an object for each embedded provider with the version of this process: starting a newer release is the upgrade.
 * Providers that users stopped or deleted stay stopped or deleted. Must be called before the controllers start.
 */
export async function publishEmbedded(writer: EmbeddedWriter, embedded: EmbeddedProviders): Promise<void> {
  await Promise.all(embedded.list.map((provider) => publish(writer, provider, embedded)));
}

/**
 * Adds the provider to the inventory, so that clusterctl considers the cluster initialized. `slipway` also reads from the entry
 * that the provider is embedded.
 */
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
  // With fetchConfig, the user provides the manifests and selects the version, so the object is kept.
  if (found?.spec?.fetchConfig !== undefined) return;
  const object = { apiVersion, kind, metadata: { name, namespace }, spec: { version } };
  const configuration = asJson(object);
  await writer.change({ verb: 'apply', resource, key: { namespace, name }, configuration, fieldManager, ...cause });
  await enterEmbedded(writer, provider);
}

/** Returns whether the controllers should run. Zero replicas stop them, as for other providers. */
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
