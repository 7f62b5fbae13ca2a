import type { CustomResourceDefinition } from './custom-resource-definition.js';

/** Fills in what a definition may leave out, in place. */
export function defaultCustomResourceDefinition(definition: CustomResourceDefinition): void {
  const { spec } = definition;
  const { names } = spec;
  if ((names.singular ?? '') === '') names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? '') === '' && names.kind !== '') names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) service.port ??= 443;
  const storage = spec.versions.find((version) => version.storage);
  if (storage === undefined || (definition.status?.storedVersions?.length ?? 0) > 0) return;
  definition.status = { ...definition.status, storedVersions: [storage.name] };
}
