import { type JsonValue, getKey, setKey } from '../json/index.js';
import type { FieldType, ListType, MapType } from './field-type.js';
import { formOf, isList, isMap, memberOf } from './forms.js';
import { listItemKeys } from './list-items.js';
import type { PathKey } from './path-key.js';

/**
 * Merges an applied configuration into the live object. Removes nothing; the configuration takes precedence. The result
 * shares subtrees with both.
 */
export function mergeObjects(live: JsonValue, config: JsonValue, type: FieldType): JsonValue {
  if (live === config) return live;
  switch (formOf(type, config)) {
    case 'map':
      return mergeMaps(live, config, type.map as MapType);
    case 'list':
      return mergeLists(live, config, type.list as ListType);
    default:
      return config;
  }
}

function mergeMaps(live: JsonValue, config: JsonValue, map: MapType): JsonValue {
  const liveMap = isMap(live) ? live : undefined;
  // Without a live value, use the configuration unchanged, including null: empty and null are different.
  if (map.atomic || liveMap === undefined || Object.keys(liveMap).length === 0) return config;
  if (!isMap(config)) return live;
  const merged: { [key: string]: JsonValue } = {};
  for (const name of Object.keys(liveMap)) {
    const before = liveMap[name];
    if (before === undefined) continue;
    const after = getKey(config, name);
    setKey(merged, name, after === undefined ? before : mergeObjects(before, after, memberOf(map, name).type));
  }
  for (const name of Object.keys(config)) {
    const after = config[name];
    if (after !== undefined && getKey(liveMap, name) === undefined) setKey(merged, name, after);
  }
  return merged;
}

function mergeLists(live: JsonValue, config: JsonValue, list: ListType): JsonValue {
  const liveItems = isList(live) ? live : [];
  if (list.keys === undefined || liveItems.length === 0) return config;
  const configItems = isList(config) ? config : [];
  if (configItems.length === 0) return live;
  return new ListMerge(list, liveItems, configItems).run();
}

/**
 * Merges two lists. Items that are only in the live list keep their order, items of the configuration keep the order of the
 * configuration. A new item follows its predecessor in the configuration.
 */
class ListMerge {
  readonly #list: ListType;
  readonly #live: readonly JsonValue[];
  readonly #liveKeys: readonly PathKey[];
  readonly #configKeys: readonly PathKey[];
  readonly #liveByKey: Map<PathKey, JsonValue>;
  readonly #configByKey = new Map<PathKey, JsonValue>();
  /** The keys that are in both lists and were not merged yet, in the order of the configuration. */
  readonly #shared: PathKey[];
  readonly #done = new Set<PathKey>();
  readonly #merged: JsonValue[] = [];
  #livePosition = 0;
  #configPosition = 0;

  constructor(list: ListType, live: readonly JsonValue[], config: readonly JsonValue[]) {
    this.#list = list;
    this.#live = live;
    this.#liveKeys = listItemKeys(list, live);
    this.#configKeys = listItemKeys(list, config);
    this.#liveByKey = indexLive(this.#liveKeys, live);
    this.#configKeys.forEach((key, index) => this.#configByKey.set(key, config[index] as JsonValue));
    this.#shared = this.#configKeys.filter((key) => this.#liveByKey.has(key)).reverse();
  }

  run(): JsonValue[] {
    while (this.#livePosition < this.#liveKeys.length || this.#configPosition < this.#configKeys.length) this.#step();
    return this.#merged;
  }

  #step(): void {
    const liveKey = this.#liveKeys[this.#livePosition];
    const configKey = this.#configKeys[this.#configPosition];
    if (liveKey === undefined) {
      this.#takeNextConfig(configKey);
    } else if (liveKey === configKey) {
      this.#livePosition += 1;
      this.#takeNextConfig(configKey);
    } else if (this.#waits(liveKey, configKey)) {
      this.#livePosition += 1;
    } else if (!this.#configByKey.has(liveKey)) {
      this.#merged.push(this.#live[this.#livePosition] as JsonValue);
      this.#livePosition += 1;
    } else {
      if (this.#done.has(liveKey)) this.#livePosition += 1;
      this.#takeNextConfig(configKey);
    }
  }

  /** Returns whether an item is in both lists and is not the next one in the order of the configuration. */
  #waits(liveKey: PathKey, configKey: PathKey | undefined): boolean {
    const next = this.#shared.at(-1);
    return configKey !== undefined && this.#configByKey.has(liveKey) && next !== undefined && next !== liveKey;
  }

  #takeNextConfig(key: PathKey | undefined): void {
    if (key === undefined) return;
    this.#configPosition += 1;
    const live = this.#liveByKey.get(key);
    const config = this.#configByKey.get(key) as JsonValue;
    this.#merged.push(live === undefined ? config : mergeObjects(live, config, this.#list.element));
    this.#done.add(key);
    if (this.#shared.at(-1) === key) this.#shared.pop();
  }
}

/** Indexes the live items by key. Items with a duplicate key are not merged with the configuration, so their value is null. */
function indexLive(keys: readonly PathKey[], items: readonly JsonValue[]): Map<PathKey, JsonValue> {
  const index = new Map<PathKey, JsonValue>();
  keys.forEach((key, position) => index.set(key, index.has(key) ? null : (items[position] as JsonValue)));
  return index;
}
