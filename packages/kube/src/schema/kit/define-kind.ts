import type { ObjectMeta } from '../../meta/index.js';
import type { Schema, ValidationRule } from '../schema.js';
import { fieldsOf } from './containers.js';
import type { Fields, ObjectValue } from './node.js';
import { schemaOf } from './options.js';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly priority?: number;
  readonly format?: string;
  readonly description?: string;
}

interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface VersionDeclaration {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** The fields beside apiVersion, kind and metadata. They are required unless wrapped in `optional()`. */
  readonly schema: Fields;
  readonly description?: string;
  /** CEL rules on the whole object. */
  readonly rules?: readonly (ValidationRule | string)[];
  readonly columns?: readonly PrinterColumn[];
  readonly subresources?: { readonly status?: boolean; readonly scale?: ScaleSubresource };
  /** Text of the deprecation warning, or `true` for the standard text. */
  readonly deprecated?: boolean | string;
  /** JSON paths of the fields that field selectors support. */
  readonly selectableFields?: readonly string[];
}

export interface KindDeclaration {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** Labels and annotations of the CRD itself, such as the contract versions. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly versions: readonly VersionDeclaration[];
}

/** A declared kind. `D` keeps the declaration, from which the types of its objects are inferred. */
export interface Kind<D extends KindDeclaration = KindDeclaration> {
  readonly declaration: D;
  readonly group: string;
  readonly kind: D['kind'];
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly storageVersion: string;
  /** The schema of whole objects by version, including apiVersion, kind and metadata. */
  readonly schemas: ReadonlyMap<string, Schema>;
}

type VersionOf<D extends KindDeclaration> = D['versions'][number];
type StorageVersionOf<D extends KindDeclaration> = Extract<VersionOf<D>, { readonly storage: true }>['name'];
type FieldsOfVersion<D extends KindDeclaration, V> = Extract<VersionOf<D>, { readonly name: V }>['schema'];

/** The type of a kind's objects: `ObjectOf<typeof machineSet>` at the storage version, or at a named version. */
export type ObjectOf<
  K extends { readonly declaration: KindDeclaration },
  V extends VersionOf<K['declaration']>['name'] = StorageVersionOf<K['declaration']>,
> = {
  apiVersion: `${K['declaration']['group']}/${V}`;
  kind: K['declaration']['kind'];
  metadata: ObjectMeta;
} & ObjectValue<FieldsOfVersion<K['declaration'], V>>;

/** Declares a kind. Its TypeScript type, structural schema and CRD manifest are derived from this declaration. */
export function defineKind<const D extends KindDeclaration>(declaration: D): Kind<D> {
  const storage = declaration.versions.filter((version) => version.storage);
  if (storage.length !== 1 || storage[0] === undefined) {
    throw new Error(`${declaration.kind}: exactly one version must be the storage version`);
  }
  return {
    declaration,
    group: declaration.group,
    kind: declaration.kind,
    plural: declaration.plural,
    singular: declaration.singular ?? declaration.kind.toLowerCase(),
    listKind: declaration.listKind ?? `${declaration.kind}List`,
    scope: declaration.scope,
    storageVersion: storage[0].name,
    schemas: new Map(declaration.versions.map((version) => [version.name, rootSchema(version)])),
  };
}

const typeMetaFields: Readonly<Record<string, Schema>> = {
  apiVersion: {
    type: 'string',
    description: 'apiVersion is the API group and version that defines the schema of this object.',
  },
  kind: { type: 'string', description: 'kind is the type of this object, in CamelCase. Immutable.' },
  // Do not describe the metadata of the root: kube-apiserver rejects such a CRD and serves its own text.
  metadata: { type: 'object' },
};

function rootSchema(version: VersionDeclaration): Schema {
  const { properties, required } = fieldsOf(version.schema);
  const root: Schema = {
    type: 'object',
    properties: { ...typeMetaFields, ...properties },
    ...(required === undefined ? {} : { required }),
  };
  return schemaOf(root, { description: version.description, rules: version.rules });
}

/** Returns the schema of a version. Defaults to the storage version. */
export function schemaOfKind(kind: Kind, version: string = kind.storageVersion): Schema {
  const schema = kind.schemas.get(version);
  if (schema === undefined) throw new Error(`${kind.kind}: no version ${version} is declared`);
  return schema;
}
