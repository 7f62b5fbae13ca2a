import type { Clock } from '@slipway/base';
import { labels, type Provider, provider as providerKind, providers } from '@slipway/cluster-api';
import { asJson, type CustomResourceDefinition, type Frozen, toCustomResourceDefinition } from '@slipway/kube';
import { type Client, customResourceDefinitions, type RequestOptions, type Writer } from '@slipway/runtime';
import { ClusterctlError } from '../clusterctl-error.js';
import { type InstalledProvider, inventoryObject } from './inventory.js';

const fieldManager = 'slipway';
const establishedTimeoutMs = 60_000;

export interface InventoryDependencies extends RequestOptions {
  readonly clock: Clock;
}

/** Installs the inventory CRD if it is missing, and waits until it is served. */
export async function ensureInventoryKind(client: Client, dependencies: InventoryDependencies): Promise<void> {
  const { group, version, kind } = providers;
  if ((await client.resourceFor({ group, version, kind })) !== undefined) return;
  const definition = inventoryDefinition();
  const key = { namespace: '', name: definition.metadata.name ?? '' };
  await client.apply(customResourceDefinitions, key, asJson(definition), {
    fieldManager,
    force: true,
    ...requestOf(dependencies),
  });
  await untilServed(client, key.name, dependencies);
}

/** Returns the CRD of the inventory, as upstream's clusterctl labels it. */
export function inventoryDefinition(): CustomResourceDefinition {
  const definition = toCustomResourceDefinition(providerKind);
  return { ...definition, metadata: { ...definition.metadata, labels: { [labels.clusterctlCore]: 'inventory' } } };
}

async function untilServed(client: Client, name: string, dependencies: InventoryDependencies): Promise<void> {
  const timeout = new AbortController();
  const timer = dependencies.clock.setTimer(establishedTimeoutMs, () => timeout.abort(new Error('timed out')));
  const signal =
    dependencies.signal === undefined ? timeout.signal : AbortSignal.any([dependencies.signal, timeout.signal]);
  const options = { fieldSelector: `metadata.name=${name}`, sendInitialEvents: true, signal };
  try {
    for await (const events of client.watch(customResourceDefinitions, options)) {
      if (events.some((event) => 'object' in event && isServed(event.object))) return;
    }
  } catch (error) {
    if (!timeout.signal.aborted) throw error;
  } finally {
    timer.cancel();
  }
  throw new ClusterctlError(`the API server does not serve ${name}`, {
    remedy: `run \`kubectl describe crd ${name}\` to find the reason`,
  });
}

function isServed({ status }: Frozen<CustomResourceDefinition>): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === 'Established' && condition.status === 'True',
  );
}

/** Adds a provider to the inventory, or updates its version. */
export async function writeInventory(writer: Pick<Writer, 'change'>, provider: InstalledProvider): Promise<void> {
  const object: Provider = inventoryObject(provider);
  const key = { namespace: provider.namespace, name: object.metadata.name ?? '' };
  await writer.change({
    verb: 'apply',
    resource: providers,
    key,
    configuration: asJson(object),
    fieldManager,
    reason: 'Installed',
    message: `Recorded ${key.name} ${provider.version} in the inventory`,
  });
}

function requestOf({ signal }: RequestOptions): RequestOptions {
  return signal === undefined ? {} : { signal };
}
