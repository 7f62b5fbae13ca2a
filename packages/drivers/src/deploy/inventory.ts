import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { type ApplyChange, type ConfigMap, configMaps, ifPresent, type Reader } from '@slipway/runtime';
import { type DriverName, fieldManager, inventoryName, labels } from '../api/index.js';

export interface InventoryItem {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The installed objects of a driver, to prune those that a later version no longer has. */
export interface Inventory {
  readonly version: string;
  readonly objects: readonly InventoryItem[];
  /** Objects of previous versions, pruned once this version is healthy. */
  readonly stale: readonly InventoryItem[];
}

export const itemKey = ({ apiVersion, kind, namespace, name }: InventoryItem): string =>
  [apiVersion.replace(/\/.*$/, ''), kind, namespace, name].join('/');

export function itemOf({ apiVersion, kind, metadata }: Frozen<KubeObject>): InventoryItem {
  const { namespace = '', name = '', uid = '' } = metadata;
  return { apiVersion, kind, namespace, name, uid };
}

export async function readInventory(
  read: Reader,
  namespace: string,
  driver: DriverName,
  signal: AbortSignal,
): Promise<Inventory | undefined> {
  const found = await ifPresent(read.get(configMaps, { namespace, name: inventoryName(driver) }, { signal }));
  const text = found?.data?.['inventory'];
  return text === undefined ? undefined : (JSON.parse(text) as Inventory);
}

export function inventoryChange(namespace: string, driver: DriverName, inventory: Inventory): ApplyChange<ConfigMap> {
  const key = { namespace, name: inventoryName(driver) };
  const configuration: JsonObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...key, labels: { [labels.managedBy]: 'vdo', [labels.driver]: driver } },
    data: { inventory: JSON.stringify(inventory) },
  };
  const message = `Recorded the objects of ${driver.toUpperCase()} ${inventory.version}`;
  return { verb: 'apply', resource: configMaps, key, configuration, fieldManager, reason: 'InventoryChanged', message };
}

/** Returns the inventory after `applied` was applied. Other recorded objects are scheduled for pruning. */
export function nextInventory(
  before: Inventory | undefined,
  version: string,
  applied: readonly InventoryItem[],
): Inventory {
  const kept = new Set(applied.map(itemKey));
  const stale = [...(before?.stale ?? []), ...(before?.objects ?? [])].filter((item) => !kept.has(itemKey(item)));
  return { version, objects: applied, stale: [...new Map(stale.map((item) => [itemKey(item), item])).values()] };
}
