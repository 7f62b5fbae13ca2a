import type { Frozen, KubeObject, OwnerReference } from '@slipway/kube';
import type { DeleteOptions } from '../../registry/index.js';
import type { Plane } from '../testing/plane.js';

/** `a/owner` is a ConfigMap in namespace a, `/owner` a cluster-scoped PriorityClass, `a/Kind:owner` a custom resource. */
export class OwnerGraph {
  constructor(private readonly plane: Plane) {}

  /** Creates the object; owners are places, with `!` before those whose deletion it blocks. */
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

  /** A reference to what stands at the place now. */
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

  /** Which of the places are taken, those being deleted marked with `~`. */
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

function parse(place: string) {
  const [namespace = '', rest = ''] = place.split('/');
  const [kind, name] = rest.includes(':') ? (rest.split(':') as [string, string]) : ['', rest];
  if (kind !== '')
    return {
      ...{ apiVersion: 'example.com/v1', group: 'example.com', version: 'v1' },
      ...{ kind, resource: `${kind.toLowerCase()}s`, namespace, name },
    };
  if (namespace === '')
    return {
      ...{ apiVersion: 'scheduling.k8s.io/v1', group: 'scheduling.k8s.io', version: 'v1' },
      ...{ kind: 'PriorityClass', resource: 'priorityclasses', namespace, name },
    };
  return { apiVersion: 'v1', group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespace, name };
}
