import { providers } from '@slipway/cluster-api';
import { embeddedAnnotation, inventoryObject, labelOf } from '@slipway/clusterctl';
import { asJson } from '@slipway/kube';
import { type Client, ifPresent, namespaces, type RequestOptions } from '@slipway/runtime';
import { providerResources } from '../api/index.js';
import type { EmbeddedProvider, EmbeddedProviders } from './embedded-providers.js';

/** On the namespace of a provider whose object the user deleted: the next start does not bring it back. */
const deletedAnnotation = 'slipway/provider-deleted';
const fieldManager = 'slipway';
const apiVersion = 'operator.cluster.x-k8s.io/v1alpha2';

/**
 * Makes an object for each provider of this process, at the version that the process has: starting a newer program is the
 * upgrade. What users switched off or deleted stays so. To be called before the controllers start.
 */
export async function publishEmbedded(
  client: Client,
  embedded: EmbeddedProviders,
  options: RequestOptions = {},
): Promise<void> {
  await Promise.all(embedded.list.map((provider) => publish(client, provider, embedded, options)));
}

/** clusterctl, stock or ours, sees a cluster that is initialized, and ours that nothing can be done to it from outside. */
export async function enterEmbedded(
  client: Client,
  provider: EmbeddedProvider,
  options: RequestOptions = {},
): Promise<void> {
  const { namespace } = provider;
  const entry = inventoryObject(provider);
  const annotated = { ...entry, metadata: { ...entry.metadata, annotations: { [embeddedAnnotation]: 'true' } } };
  const writing = { fieldManager, force: true, ...options };
  await client.apply(providers, { namespace, name: labelOf(provider) }, asJson(annotated), writing);
}

async function publish(
  client: Client,
  provider: EmbeddedProvider,
  embedded: EmbeddedProviders,
  options: RequestOptions,
): Promise<void> {
  const { name, namespace, type: kind, version } = provider;
  const writing = { fieldManager, force: true, ...options };
  const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const home = await client.apply(namespaces, { namespace: '', name: namespace }, place, writing);
  const resource = providerResources[kind];
  const found = await ifPresent(client.get(resource, { namespace, name }, options));
  const isDeleted = found === undefined && home.metadata.annotations?.[deletedAnnotation] !== undefined;
  embedded.setRunning(provider, !isDeleted && isWanted(found ?? {}));
  if (isDeleted) return;
  // Somebody else's manifests: its version is theirs to choose.
  if (found?.spec?.fetchConfig !== undefined) return;
  const object = { apiVersion, kind, metadata: { name, namespace }, spec: { version } };
  await client.apply(resource, { namespace, name }, asJson(object), writing);
  await enterEmbedded(client, provider, options);
}

/** As everywhere: without replicas nothing runs. */
export function isWanted({
  spec,
}: {
  readonly spec?: { readonly deployment?: { readonly replicas?: number }; readonly fetchConfig?: object };
}): boolean {
  return spec?.deployment?.replicas !== 0 && spec?.fetchConfig === undefined;
}

/** Remembers that the user wants a provider gone, or wants it again. */
export async function markDeleted(
  client: Client,
  namespace: string,
  isDeleted: boolean,
  options: RequestOptions,
): Promise<void> {
  const key = { namespace: '', name: namespace };
  const home = await ifPresent(client.get(namespaces, key, options));
  if (home === undefined || (home.metadata.annotations?.[deletedAnnotation] !== undefined) === isDeleted) return;
  const patch = { metadata: { annotations: { [deletedAnnotation]: isDeleted ? 'true' : null } } };
  await client.patch(namespaces, key, { type: 'merge', patch }, { fieldManager, ...options });
}
