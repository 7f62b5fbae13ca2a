import { type ListedProvider, providerList } from '../providers/provider-list.js';
import { embeddedAnnotation, inventoryObject, labelOf, namespaceOf, providerVersion } from '@slipway/clusterctl';
import { providers } from '@slipway/cluster-api';
import { asJson } from '@slipway/kube';
import { type Client, namespaces } from '@slipway/runtime';
import { slipwayVersion } from '../version.js';

const fieldManager = 'slipway';

/** Enters the providers of this process into the inventory: clusterctl, stock or ours, sees a cluster that is initialized. */
export async function publishInventory(client: Client): Promise<void> {
  await Promise.all(providerList.map((provider) => publish(client, provider)));
}

async function publish(client: Client, listed: ListedProvider): Promise<void> {
  const namespace = namespaceOf(listed);
  const options = { fieldManager, force: true };
  const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await client.apply(namespaces, { namespace: '', name: namespace }, place, options);
  const entry = inventoryObject({ ...listed, version: providerVersion(slipwayVersion), namespace });
  const annotated = { ...entry, metadata: { ...entry.metadata, annotations: { [embeddedAnnotation]: 'true' } } };
  await client.apply(providers, { namespace, name: labelOf(listed) }, asJson(annotated), options);
}
