import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from './custom-resource-definition.js';
import { orEmpty } from './foreign-schema.js';

/** Applies the defaults of a CRD in place. Also creates required fields as empty values, which validation rejects. */
export function defaultCustomResourceDefinition(definition: CustomResourceDefinition): void {
  const { spec } = definition;
  spec.versions ??= [];
  defaultNames(spec);
  defaultConversion(spec);
  const storage = spec.versions.find((version) => version.storage);
  if (storage === undefined || (definition.status?.storedVersions?.length ?? 0) > 0) return;
  definition.status = { ...definition.status, storedVersions: [storage.name] };
}

function defaultConversion(spec: CustomResourceDefinitionSpec): void {
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
}

function defaultNames(spec: CustomResourceDefinitionSpec): void {
  spec.names ??= { plural: '', kind: '' };
  const { names } = spec;
  const kind = orEmpty(names.kind);
  if (orEmpty(names.singular) === '') names.singular = kind.toLowerCase();
  if (orEmpty(names.listKind) === '' && kind !== '') names.listKind = `${kind}List`;
}
