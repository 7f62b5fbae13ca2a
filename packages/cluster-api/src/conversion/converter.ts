import { cloneJson, type Frozen, type Kind, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { Conversion } from './conversion.js';

/** Converts objects of one kind to another version. Implements the `Converter` port of the API server. */
export type Converter = (
  objects: readonly Frozen<KubeObject>[],
  toVersion: string,
) => Promise<readonly KubeObject[]> | readonly KubeObject[];

/** Finds the apiVersion of a provider kind by the contract labels of its CRD. Throws if there is none. */
export interface ContractVersions {
  apiVersionOf(apiGroup: string, kind: string): Promise<string> | string;
}

/**
 * Creates the converter of one kind. `conversions` are those of its old versions. The converter is synchronous if
 * `contract` is synchronous.
 */
export function createConverter(conversions: readonly Conversion[], contract: ContractVersions): Converter {
  const byVersion = new Map(conversions.map((conversion) => [conversion.version, conversion]));
  return (objects, toVersion) => {
    const lookup = new References(contract);
    const converted = objects.map((object) => convertOne(byVersion, object, toVersion, lookup));
    if (!lookup.isIncomplete) return converted;
    // The versions of references must be known before the objects are converted, and the lookup may be asynchronous.
    return lookup.complete().then(() => objects.map((object) => convertOne(byVersion, object, toVersion, lookup)));
  };
}

/** Creates the converters of all kinds that have an old version. */
export function createConverters(
  conversions: readonly Conversion[],
  contract: ContractVersions,
): ReadonlyMap<Kind, Converter> {
  const byKind = new Map<Kind, Conversion[]>();
  for (const conversion of conversions)
    byKind.set(conversion.kind, [...(byKind.get(conversion.kind) ?? []), conversion]);
  return new Map([...byKind].map(([kind, own]) => [kind, createConverter(own, contract)]));
}

function convertOne(
  conversions: ReadonlyMap<string, Conversion>,
  object: Frozen<KubeObject>,
  toVersion: string,
  lookup: References,
): KubeObject {
  const version = parseApiVersion(object.apiVersion).version;
  if (version === toVersion) return cloneJson(object) as KubeObject;
  const from = conversions.get(version);
  const stored = from === undefined ? object : from.up(object);
  const to = conversions.get(toVersion);
  return to === undefined ? (stored as KubeObject) : to.down(stored, (group, kind) => lookup.get(group, kind));
}

class References {
  readonly #contract: ContractVersions;
  readonly #cached = new Map<string, string>();
  readonly #pending = new Map<string, Promise<string>>();

  constructor(contract: ContractVersions) {
    this.#contract = contract;
  }

  get isIncomplete(): boolean {
    return this.#pending.size > 0;
  }

  get(apiGroup: string, kind: string): string {
    const key = `${apiGroup}/${kind}`;
    const cached = this.#cached.get(key);
    if (cached !== undefined || this.#pending.has(key)) return cached ?? '';
    const found = this.#contract.apiVersionOf(apiGroup, kind);
    if (typeof found === 'string') {
      this.#cached.set(key, found);
      return found;
    }
    // Avoid an unhandled rejection if another lookup fails before this one is awaited.
    found.catch(() => undefined);
    this.#pending.set(key, found);
    return '';
  }

  async complete(): Promise<void> {
    await Promise.all(
      [...this.#pending].map(async ([key, found]) => {
        this.#cached.set(key, await found);
      }),
    );
    this.#pending.clear();
  }
}
