import type { Frozen, KubeObject, OwnerReference } from '@slipway/kube';
import type { DeleteOptions } from '../../contract/index.js';
import type { Plane } from '../testing/plane.js';

/**
 * Creates and deletes objects by short names: `a/owner` is a ConfigMap in namespace a, `/owner` a cluster-scoped PriorityClass,
 * `a/Secret:owner` a Secret, `a/Kind:owner` a custom resource.
 */
export class OwnerGraph {
  constructor(private readonly plane: Plane) {}

  /** Creates an object. `!` before an owner sets blockOwnerDeletion. */
  async add(
    place: string,
    owners: readonly string[] = [],
    finalizers: readonly string[] = [],
  ): Promise<Frozen<KubeObject>> {
    return this.addWith(
      place,
      owners.map((owner) => this.reference(owner)),
      finalizers,
    );
  }

  addWith(
    place: string,
    ownerReferences: readonly OwnerReference[],
    finalizers: readonly string[] = [],
  ): Promise<Frozen<KubeObject>> {
    const { apiVersion, kind, namespace, name } = parse(place);
    return this.plane.client.create({
      apiVersion,
      kind,
      metadata: {
        name,
        ...(namespace === '' ? {} : { namespace }),
        ...(ownerReferences.length === 0 ? {} : { ownerReferences: [...ownerReferences] }),
        ...(finalizers.length === 0 ? {} : { finalizers: [...finalizers] }),
      },
      ...(kind === 'PriorityClass' ? { value: 1 } : {}),
    });
  }

  get(place: string): Frozen<KubeObject> | undefined {
    const { resource, group, namespace, name } = parse(place);
    return this.plane.get(group === '' ? resource : `${group}/${resource}`, namespace, name);
  }

  /** Returns an ownerReference to the object that currently has this short name. */
  reference(text: string): OwnerReference {
    const place = text.replace(/^!/, '');
    const { apiVersion, kind, name } = parse(place);
    const { uid = '' } = this.get(place)?.metadata ?? {};
    return { apiVersion, kind, name, uid, ...(text.startsWith('!') ? { blockOwnerDeletion: true } : {}) };
  }

  async delete(place: string, propagationPolicy: DeleteOptions['propagationPolicy'] = 'Background'): Promise<void> {
    const { group, version, resource, namespace, name } = parse(place);
    await this.plane.client.delete({ group, version, resource }, namespace, name, { propagationPolicy });
  }

  async patch(place: string, metadata: Record<string, unknown>): Promise<void> {
    const { group, version, resource, namespace, name } = parse(place);
    const patch = { metadata } as Parameters<Plane['client']['patch']>[3];
    await this.plane.client.patch({ group, version, resource }, namespace, name, patch);
  }

  /** Returns the objects that exist. Those being deleted are marked with `~`. */
  alive(...places: readonly string[]): string[] {
    return places.flatMap((place) => {
      const object = this.get(place);
      if (object === undefined) return [];
      return [(object.metadata.deletionTimestamp ?? '') === '' ? place : `~${place}`];
    });
  }

  ownersOf(place: string): string[] {
    return (this.get(place)?.metadata.ownerReferences ?? []).map(({ name }) => name);
  }
}

interface Place {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

function parse(place: string): Place {
  const [namespace = '', rest = ''] = place.split('/');
  const [kind, name = ''] = rest.includes(':') ? rest.split(':') : ['', rest];
  if (kind === 'Secret') return placeOf('', kind, 'secrets', namespace, name);
  if (kind !== undefined && kind !== '') return placeOf('example.com', kind, `${kind.toLowerCase()}s`, namespace, name);
  if (namespace === '') return placeOf('scheduling.k8s.io', 'PriorityClass', 'priorityclasses', namespace, name);
  return placeOf('', 'ConfigMap', 'configmaps', namespace, name);
}

function placeOf(group: string, kind: string, resource: string, namespace: string, name: string): Place {
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  return { group, version: 'v1', apiVersion, kind, resource, namespace, name };
}
