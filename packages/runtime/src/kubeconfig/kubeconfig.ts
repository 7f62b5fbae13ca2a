import { type JsonObject, parseYamlValue, YamlError } from '@slipway/kube';

/** A parsed kubeconfig. Each entry records the directory that its relative paths refer to. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, ConfigEntry>;
  readonly users: ReadonlyMap<string, ConfigEntry>;
  readonly contexts: ReadonlyMap<string, ConfigEntry>;
}

export interface ConfigEntry {
  readonly value: JsonObject;
  /**
   * Directory of the file that the entry was read from. Undefined if it was not read from a file. In that case relative
   * paths are invalid.
   */
  readonly folder: string | undefined;
}

export class KubeconfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KubeconfigError';
  }
}

/** Parses one kubeconfig. `where` is its name in errors. */
export function parseKubeconfig(text: string | Uint8Array, where = 'kubeconfig', folder?: string): Kubeconfig {
  const root = readRoot(text, where);
  const entries = (list: string, part: string): ReadonlyMap<string, ConfigEntry> =>
    readEntries(root[list], { where, list, part, folder });
  return {
    currentContext: textOf(root['current-context']) ?? '',
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
    contexts: entries('contexts', 'context'),
  };
}

/** Merges kubeconfigs. As in kubectl, the first entry of a name and the first current-context win. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merged = (part: 'clusters' | 'users' | 'contexts'): ReadonlyMap<string, ConfigEntry> =>
    new Map(configs.toReversed().flatMap((config) => [...config[part]]));
  return {
    currentContext: configs.find((config) => config.currentContext !== '')?.currentContext ?? '',
    clusters: merged('clusters'),
    users: merged('users'),
    contexts: merged('contexts'),
  };
}

function readRoot(text: string | Uint8Array, where: string): JsonObject {
  let root: unknown;
  try {
    root = parseYamlValue(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new KubeconfigError(`${where} is neither YAML nor JSON: ${error.message}`, { cause: error });
  }
  if (root === null) return {};
  if (!isObject(root)) throw new KubeconfigError(`${where} is not a kubeconfig: the top level must be a mapping`);
  const kind = root['kind'];
  if (kind !== undefined && kind !== 'Config')
    throw new KubeconfigError(`${where} has kind ${JSON.stringify(kind)}, want Config`);
  return root;
}

interface EntriesPlace {
  readonly where: string;
  readonly list: string;
  readonly part: string;
  readonly folder: string | undefined;
}

function readEntries(list: unknown, place: EntriesPlace): ReadonlyMap<string, ConfigEntry> {
  const entries = new Map<string, ConfigEntry>();
  if (list === undefined || list === null) return entries;
  if (!Array.isArray(list)) throw new KubeconfigError(`${place.where}: ${place.list} must be a list`);
  for (const [index, item] of list.entries()) {
    const name = isObject(item) ? textOf(item['name']) : undefined;
    if (name === undefined) throw new KubeconfigError(`${place.where}: ${place.list}[${index}] has no name`);
    const value = (item as JsonObject)[place.part];
    if (!entries.has(name)) entries.set(name, { value: isObject(value) ? value : {}, folder: place.folder });
  }
  return entries;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a non-empty string, or undefined. Empty strings count as absent, as in kubectl. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
