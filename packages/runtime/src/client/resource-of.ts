import type { Kind, KindDeclaration, ObjectOf } from '@slipway/kube/kit';
import type { Resource } from './resource.js';

type VersionName<D extends KindDeclaration> = D['versions'][number]['name'];
type StorageVersionName<D extends KindDeclaration> = Extract<D['versions'][number], { readonly storage: true }>['name'];

/** Returns the resource of a declared kind, at its storage version by default. */
export function resourceOf<const D extends KindDeclaration, const V extends VersionName<D> = StorageVersionName<D>>(
  kind: Kind<D>,
  version?: V,
): Resource<ObjectOf<Kind<D>, V>> {
  const chosen = version ?? kind.storageVersion;
  if (!kind.schemas.has(chosen)) throw new Error(`${kind.kind}: no version ${chosen} is declared`);
  return {
    group: kind.group,
    version: chosen,
    kind: kind.kind,
    plural: kind.plural,
    namespaced: kind.scope === 'Namespaced',
  };
}
