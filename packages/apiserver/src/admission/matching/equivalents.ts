import {
  type Frozen,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubeObject,
  asJson,
  asObject,
  cloneJson,
} from '@slipway/kube';
import type { ResourceDefinition, ResourceVersionDefinition } from '../../contract/index.js';

/** Looks up the resource definitions that the server currently serves. */
export interface DefinitionSource {
  definition(group: string, plural: string): ResourceDefinition | undefined;
  definitions(): readonly ResourceDefinition[];
  readonly generation: number;
}

/** One representation (group, version, resource) of the objects of a request. */
export interface View {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersionDefinition;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** Finds the other versions and groups under which the same stored objects are served. */
export class Equivalents {
  readonly #source: DefinitionSource;
  #generation = -1;
  readonly #views = new Map<string, readonly View[]>();

  constructor(source: DefinitionSource) {
    this.#source = source;
  }

  /** Changes whenever `viewsOf` may return another result than before. */
  get generation(): number {
    return this.#source.generation;
  }

  /** Returns all served views of the resource: those of its own group first, each group in version order. */
  viewsOf(group: string, plural: string): readonly View[] {
    if (this.#generation !== this.#source.generation) {
      this.#views.clear();
      this.#generation = this.#source.generation;
    }
    const key = `${group}/${plural}`;
    const cached = this.#views.get(key);
    if (cached !== undefined) return cached;
    const own = this.#source.definition(group, plural);
    const found = own === undefined ? [] : this.#collect(own);
    this.#views.set(key, found);
    return found;
  }

  view(resource: GroupVersionResource): View | undefined {
    return this.viewsOf(resource.group, resource.resource).find(
      (one) => one.resource.version === resource.version && one.resource.group === resource.group,
    );
  }

  #collect(own: ResourceDefinition): readonly View[] {
    const shared = this.#source
      .definitions()
      .filter((one) => one !== own && own.storageResource !== '' && one.storageResource === own.storageResource);
    return [own, ...shared].flatMap((definition) =>
      definition.versions.filter((version) => version.served).map((version) => viewOf(definition, version)),
    );
  }
}

function viewOf(definition: ResourceDefinition, version: ResourceVersionDefinition): View {
  const { group, plural, kind } = definition;
  return {
    definition,
    version,
    resource: { group, version: version.name, resource: plural },
    kind: { group, version: version.name, kind },
  };
}

/**
 * Whether the request is for a subresource that has its own kind (Scale, Eviction). That kind is the same in every
 * view.
 */
export function concernsPart(request: { readonly kind: GroupVersionKind }, view: View): boolean {
  return request.kind.kind !== view.kind.kind;
}

/** Converts the object from one view to another. The result may be the same object only if the two views are the same. */
export async function convertTo(object: Frozen<KubeObject>, from: View, to: View): Promise<KubeObject> {
  if (from.definition === to.definition) return convertWithin(object, from.definition, to.version.name);
  // The two definitions share a stored collection: convert to the stored form first.
  const stored = await inVersion(object, from.definition, from.version.name, from.definition.storageVersion);
  return inVersion(stored, to.definition, to.definition.storageVersion, to.version.name);
}

async function inVersion(
  object: KubeObject | Frozen<KubeObject>,
  definition: ResourceDefinition,
  from: string,
  to: string,
): Promise<KubeObject> {
  if (from === to) return asObject(cloneJson(asJson(object as Frozen<KubeObject>)));
  return convertWithin(object as Frozen<KubeObject>, definition, to);
}

async function convertWithin(
  object: Frozen<KubeObject>,
  definition: ResourceDefinition,
  version: string,
): Promise<KubeObject> {
  const [converted] = await definition.convert([object], version);
  if (converted === undefined) throw new Error('conversion returned no object');
  return converted;
}
