import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceNames,
  CustomResourceSubresources,
} from '../crd/custom-resource-definition.js';
import { type Kind, schemaOfKind, type VersionDeclaration } from './define-kind.js';

export interface DefinitionOptions {
  readonly conversion?: CustomResourceConversion;
}

/** Returns the CRD manifest of a kind. Empty fields are omitted. */
export function toCustomResourceDefinition(kind: Kind, options: DefinitionOptions = {}): CustomResourceDefinition {
  const { declaration } = kind;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${kind.plural}.${kind.group}`,
      ...(declaration.labels === undefined ? {} : { labels: { ...declaration.labels } }),
      ...(declaration.annotations === undefined ? {} : { annotations: { ...declaration.annotations } }),
    },
    spec: {
      group: kind.group,
      names: namesOf(kind),
      scope: kind.scope,
      versions: declaration.versions.map((version) => versionOf(kind, version)),
      ...(options.conversion === undefined ? {} : { conversion: options.conversion }),
    },
  };
}

function namesOf(kind: Kind): CustomResourceNames {
  const { shortNames = [], categories = [] } = kind.declaration;
  return {
    plural: kind.plural,
    singular: kind.singular,
    kind: kind.kind,
    listKind: kind.listKind,
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
  };
}

function versionOf(kind: Kind, version: VersionDeclaration): CustomResourceDefinitionVersion {
  const { columns = [], selectableFields = [], deprecated } = version;
  const subresources = subresourcesOf(version);
  return {
    name: version.name,
    served: version.served,
    storage: version.storage,
    ...(deprecated === undefined || deprecated === false ? {} : { deprecated: true }),
    ...(typeof deprecated === 'string' ? { deprecationWarning: deprecated } : {}),
    schema: { openAPIV3Schema: schemaOfKind(kind, version.name) },
    ...(subresources === undefined ? {} : { subresources }),
    ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns.map((column) => ({ ...column })) }),
    ...(selectableFields.length === 0 ? {} : { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}

function subresourcesOf(version: VersionDeclaration): CustomResourceSubresources | undefined {
  const { status, scale } = version.subresources ?? {};
  if (status !== true && scale === undefined) return undefined;
  return { ...(status === true ? { status: {} } : {}), ...(scale === undefined ? {} : { scale: { ...scale } }) };
}
