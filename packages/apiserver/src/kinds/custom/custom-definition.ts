import {
  asJson,
  asObject,
  cloneJson,
  type CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
  compareVersionPriority,
  compileJsonPath,
  forbidden,
  formatApiVersion,
  type Frozen,
  type KubeObject,
  type Schema,
} from '@slipway/kube';
import type { ResourceDefinition, ResourceVersionDefinition, ScalePaths, WriteStrategy } from '../../contract/index.js';
import { decodeMetadata } from '../types/decode-typed.js';
import { customColumns, type PrinterColumn } from './custom-columns.js';
import type { ConversionWebhook } from './crd.js';

/** Converts objects of one kind to another version, in process or by webhook. */
export type Converter = (
  objects: readonly Frozen<KubeObject>[],
  toVersion: string,
) => Promise<readonly KubeObject[]> | readonly KubeObject[];

export interface ConverterSource {
  /** Returns the in-process converter of the kind, if any. It takes precedence over the conversion that the CRD declares. */
  inProcess(group: string, kind: string): Converter | undefined;
  webhook(crd: CustomResourceDefinition, webhook: ConversionWebhook): Converter;
}

/** Builds the resource definition of a CRD. */
export function customDefinition(crd: CustomResourceDefinition, converters: ConverterSource): ResourceDefinition {
  const { group, scope } = crd.spec;
  const names = crd.status?.acceptedNames ?? crd.spec.names;
  const versions = [...crd.spec.versions]
    .sort((left, right) => compareVersionPriority(left.name, right.name))
    .map((version) => customVersion(crd, version));
  return {
    group,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === 'Namespaced',
    verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
    ...(isDeleting(crd) ? { discoveryVerbs: ['delete', 'deletecollection', 'get', 'list', 'watch'] } : {}),
    versions,
    storageVersion: crd.spec.versions.find((version) => version.storage)?.name ?? '',
    storageResource: `${group}/${names.plural}`,
    custom: true,
    strategy: customStrategy(crd),
    subresources: [],
    unconditionalUpdate: false,
    createOnUpdate: false,
    returnsDeleted: false,
    convert: converterFor(crd, converters),
  };
}

function isDeleting(crd: CustomResourceDefinition): boolean {
  return (crd.metadata.deletionTimestamp ?? '') !== '';
}

function customVersion(
  crd: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): ResourceVersionDefinition {
  const warning = deprecationWarning(crd, version);
  const { scale, status } = version.subresources ?? {};
  return {
    name: version.name,
    served: version.served,
    schema: wholeObject(version.schema?.openAPIV3Schema ?? { type: 'object' }),
    table: customColumns(printerColumns(version)),
    subresources: {
      status: status !== undefined,
      ...(scale === undefined ? {} : { scale: scalePaths(scale) }),
    },
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    selectableFields: selectableFields(version),
  };
}

/** Adds apiVersion, kind and metadata, which every object has, to the schema of a CRD. */
function wholeObject(schema: Schema): Schema {
  const { metadata = { type: 'object' } as const, ...properties } = schema.properties ?? {};
  return {
    ...schema,
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata, ...properties },
  };
}

function printerColumns(version: CustomResourceDefinitionVersion): readonly PrinterColumn[] {
  return (version.additionalPrinterColumns ?? []) as readonly PrinterColumn[];
}

function scalePaths(
  scale: NonNullable<NonNullable<CustomResourceDefinitionVersion['subresources']>['scale']>,
): ScalePaths {
  return {
    specReplicas: scale.specReplicasPath,
    statusReplicas: scale.statusReplicasPath,
    ...(scale.labelSelectorPath === undefined ? {} : { labelSelector: scale.labelSelectorPath }),
  };
}

function deprecationWarning(
  crd: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names, versions } = crd.spec;
  const [better] = versions
    .filter(({ name, served, deprecated }) => served && deprecated !== true && outranks(name, version.name))
    .map(({ name }) => name)
    .sort(compareVersionPriority);
  const advice = better === undefined ? '' : `; use ${group}/${better} ${names.kind}`;
  return `${group}/${version.name} ${names.kind} is deprecated${advice}`;
}

function outranks(left: string, right: string): boolean {
  return compareVersionPriority(left, right) < 0;
}

function selectableFields(version: CustomResourceDefinitionVersion): ResourceVersionDefinition['selectableFields'] {
  const fields: Record<string, (object: Frozen<KubeObject>) => string> = Object.create(null);
  for (const { jsonPath } of version.selectableFields ?? []) {
    const path = compileJsonPath(jsonPath);
    fields[jsonPath.replace(/^\./, '')] = (object) => {
      const [value] = path.evaluate(asJson(object));
      return typeof value === 'object' || value === undefined ? '' : String(value);
    };
  }
  return fields;
}

function customStrategy(crd: CustomResourceDefinition): WriteStrategy {
  // Metadata is always typed, regardless of the schema, so that a numeric label value fails to decode.
  const setDefaults = decodeMetadata;
  if ((crd.metadata.deletionTimestamp ?? '') === '') return { setDefaults };
  return {
    setDefaults,
    prepareForCreate(object) {
      throw forbidden(
        { group: crd.spec.group, resource: crd.spec.names.plural },
        object.metadata.name ?? '',
        'create not allowed while custom resource definition is terminating',
      );
    },
  };
}

/**
 * Returns the converter of a CRD. It looks up in-process converters on every call: after a restart, CRDs are served before
 * in-process kinds register theirs.
 */
function converterFor(crd: CustomResourceDefinition, converters: ConverterSource): Converter {
  const declared = declaredConverter(crd, converters);
  const { group, names } = crd.spec;
  return (objects, toVersion) => (converters.inProcess(group, names.kind) ?? declared)(objects, toVersion);
}

function declaredConverter(crd: CustomResourceDefinition, converters: ConverterSource): Converter {
  const { conversion } = crd.spec;
  if (conversion?.strategy === 'Webhook' && conversion.webhook !== undefined) {
    return converters.webhook(crd, conversion.webhook);
  }
  return (objects, toVersion) => {
    const apiVersion = formatApiVersion({ group: crd.spec.group, version: toVersion });
    return objects.map((object) => renamed(object, apiVersion));
  };
}

/** Converts with strategy None: changes apiVersion only. */
function renamed(object: Frozen<KubeObject>, apiVersion: string): KubeObject {
  const copy = asObject(cloneJson(asJson(object)));
  copy.apiVersion = apiVersion;
  return copy;
}
