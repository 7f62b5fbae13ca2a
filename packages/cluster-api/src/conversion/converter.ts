import { cloneJson, type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { Conversion } from './conversion.js';

/** Converts objects of one kind to another version. The same shape as the API server's port of that name. */
export type Converter = (
  objects: readonly Frozen<KubeObject>[],
  toVersion: string,
) => Promise<readonly KubeObject[]> | readonly KubeObject[];

/** Finds the apiVersion of a provider's kind by the contract labels on its definition. Fails when there is none. */
export interface ContractVersions {
  apiVersionOf(apiGroup: string, kind: string): Promise<string> | string;
}

/** The converter of one kind; `conversions` are those of its old versions. */
export function createConverter(conversions: readonly Conversion[], contract: ContractVersions): Converter {
  const byVersion = new Map(conversions.map((conversion) => [conversion.version, conversion]));
  return (objects, toVersion) => {
    const lookup = new References();
    const converted = objects.map((object) => convertOne(byVersion, object, toVersion, lookup));
    if (!lookup.isIncomplete) return converted;
    // References can only be written once their versions are known, and asking for those takes a while.
    return lookup
      .complete(contract)
      .then(() => objects.map((object) => convertOne(byVersion, object, toVersion, lookup)));
  };
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
  readonly #known = new Map<string, string>();
  readonly #wanted = new Map<string, { readonly apiGroup: string; readonly kind: string }>();

  get isIncomplete(): boolean {
    return this.#wanted.size > 0;
  }

  get(apiGroup: string, kind: string): string {
    const key = `${apiGroup}/${kind}`;
    const known = this.#known.get(key);
    if (known === undefined) this.#wanted.set(key, { apiGroup, kind });
    return known ?? '';
  }

  async complete(contract: ContractVersions): Promise<void> {
    await Promise.all(
      [...this.#wanted].map(async ([key, { apiGroup, kind }]) => {
        this.#known.set(key, await contract.apiVersionOf(apiGroup, kind));
      }),
    );
    this.#wanted.clear();
  }
}
