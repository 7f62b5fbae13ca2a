import { type FieldError, invalidField, notSupported, requiredField } from '../../errors/index.js';
import { dns1123SubdomainProblems } from '../validation/names.js';
import { validateApiApproval } from './api-approval.js';
import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from './custom-resource-definition.js';
import { isSet, orEmpty } from './foreign-schema.js';
import { hasRecognisedReviewVersion, validateConversion } from './validate-conversion.js';
import { requireNames, validateNames } from './validate-names.js';
import { type DefinitionCheckOptions, validateVersions } from './validate-versions.js';

/** Validates a new CRD with defaults applied. Metadata other than the name is validated elsewhere. */
export function validateCustomResourceDefinition(
  definition: CustomResourceDefinition,
  options: DefinitionCheckOptions = {},
): FieldError[] {
  return [...validateName(definition), ...validateBody(definition, undefined, options)];
}

export function validateCustomResourceDefinitionUpdate(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  options: DefinitionCheckOptions = {},
): FieldError[] {
  return validateBody(definition, old, options);
}

/** Validates an update of `/status`: only the accepted names. */
export function validateCustomResourceDefinitionStatus(definition: CustomResourceDefinition): FieldError[] {
  const names = definition.status?.acceptedNames;
  return names === undefined ? [] : validateNames(names, 'status.acceptedNames');
}

function isEstablished(definition: CustomResourceDefinition): boolean {
  const conditions = definition.status?.conditions ?? [];
  return conditions.some((condition) => condition.type === 'Established' && condition.status === 'True');
}

function validateName(definition: CustomResourceDefinition): FieldError[] {
  const { names, group } = definition.spec;
  const { name } = definition.metadata;
  if (name === `${names.plural}.${group}`) return [];
  return [invalidField('metadata.name', name ?? '', 'must be spec.names.plural+"."+spec.group')];
}

function validateBody(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  options: DefinitionCheckOptions,
): FieldError[] {
  return [
    ...validateSpec(definition.spec, old, options),
    ...(old === undefined ? [] : validateImmutable(definition.spec, old)),
    ...validateCustomResourceDefinitionStatus(definition),
    ...validateStoredVersions(definition),
    ...validateApiApproval(definition, old),
    ...validatePreserveUnknownFields(definition, old),
  ];
}

function validateSpec(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinition | undefined,
  options: DefinitionCheckOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  checkGroup(orEmpty(spec.group), errors);
  checkScope(orEmpty(spec.scope), errors);
  for (const [index, version] of spec.versions.entries()) {
    if (isSet(version.schema?.openAPIV3Schema)) continue;
    errors.push(requiredField(`spec.versions[${index}].schema.openAPIV3Schema`));
  }
  errors.push(...validateVersions(spec, old, options), ...checkVersionSet(spec));
  errors.push(...requireNames(spec.names, 'spec.names'), ...validateNames(spec.names, 'spec.names'));
  errors.push(...checkConversion(spec, old, options));
  return errors;
}

function checkConversion(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinition | undefined,
  options: DefinitionCheckOptions,
): FieldError[] {
  if (spec.conversion === undefined) return [];
  const oldVersions = old?.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  return validateConversion(spec.conversion, 'spec.conversion', {
    recognisedReviewVersion: oldVersions.length === 0 || hasRecognisedReviewVersion(oldVersions),
    caBundleProblem: caBundleCheck(old, options),
  });
}

// Returns the check of CA bundles. An invalid bundle is tolerated before the CRD is established, and if the stored bundle is
// invalid too.
function caBundleCheck(
  old: CustomResourceDefinition | undefined,
  options: DefinitionCheckOptions,
): ((caBundle: string) => string | undefined) | undefined {
  if (old === undefined || !isEstablished(old)) return undefined;
  const stored = old.spec.conversion?.webhook?.clientConfig?.caBundle ?? '';
  const storedBroken = stored !== '' && options.caBundleProblem?.(stored) !== undefined;
  return storedBroken ? undefined : options.caBundleProblem;
}

function checkGroup(group: string, errors: FieldError[]): void {
  const problems = dns1123SubdomainProblems(group);
  if (group === '') errors.push(requiredField('spec.group'));
  else if (problems.length > 0) errors.push(invalidField('spec.group', group, problems.join(',')));
  else if (!group.includes('.')) {
    errors.push(invalidField('spec.group', group, 'should be a domain with at least one dot'));
  }
}

function checkScope(scope: string, errors: FieldError[]): void {
  if (scope === '') errors.push(requiredField('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') {
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  }
}

function checkVersionSet(spec: CustomResourceDefinitionSpec): FieldError[] {
  const errors: FieldError[] = [];
  const names = spec.versions.map((version) => version.name);
  if (new Set(names).size < names.length) {
    errors.push(invalidField('spec.versions', spec.versions, 'must contain unique version names'));
  }
  if (spec.versions.filter((version) => version.storage).length !== 1) {
    const text = 'must have exactly one version marked as storage version';
    errors.push(invalidField('spec.versions', spec.versions, text));
  }
  return errors;
}

function validateImmutable(spec: CustomResourceDefinitionSpec, old: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  const check = (value: string, oldValue: string, path: string): void => {
    if (value !== oldValue) errors.push(invalidField(path, value, 'field is immutable'));
  };
  if (isEstablished(old)) {
    check(spec.scope, old.spec.scope, 'spec.scope');
    check(spec.names.kind, old.spec.names.kind, 'spec.names.kind');
  }
  check(spec.group, old.spec.group, 'spec.group');
  check(spec.names.plural, old.spec.names.plural, 'spec.names.plural');
  return errors;
}

function validateStoredVersions(definition: CustomResourceDefinition): FieldError[] {
  const path = 'status.storedVersions';
  const stored = definition.status?.storedVersions ?? [];
  if (stored.length === 0) return [invalidField(path, null, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  for (const version of definition.spec.versions) {
    if (version.storage && !stored.includes(version.name)) {
      errors.push(invalidField(path, stored, `must have the storage version ${version.name}`));
    }
  }
  for (const [index, name] of stored.entries()) {
    if (definition.spec.versions.some((version) => version.name === name)) continue;
    const text =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a ` +
      `storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalidField(`${path}[${index}]`, name, text));
  }
  return errors;
}

function validatePreserveUnknownFields(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (definition.spec.preserveUnknownFields !== true || old?.spec.preserveUnknownFields === true) return [];
  const text =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidField('spec.preserveUnknownFields', true, text)];
}
