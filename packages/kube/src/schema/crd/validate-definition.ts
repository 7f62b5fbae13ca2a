import { type FieldError, forbiddenField, invalidField, notSupported, requiredField } from '../../errors/index.js';
import type { Schema, ValidationRule } from '../schema.js';
import { dns1035LabelProblems, dns1123SubdomainProblems } from '../validation/names.js';
import { validateApiApproval } from './api-approval.js';
import { checkStructural, type SchemaCheckOptions, type SchemaRequirements } from './check-structural.js';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from './custom-resource-definition.js';
import { isSet } from './foreign-schema.js';
import { everyNode, requirementsFor, sameJson } from './requirements.js';
import { hasRecognisedReviewVersion, validateConversion } from './validate-conversion.js';
import { requireNames, validateNames } from './validate-names.js';
import {
  exceedsSelectableFields,
  validateColumn,
  validateDeprecation,
  validateSelectableFields,
  validateSubresources,
} from './validate-version.js';

/** The parts that other packages lend to the validation of definitions. */
export interface DefinitionCheckOptions extends Pick<SchemaCheckOptions, 'checkRules' | 'rules' | 'embeddedMetadata'> {
  /** What is wrong with a CA bundle (base64); asked only once a definition is established. */
  readonly caBundleProblem?: (caBundle: string) => string | undefined;
}

/** Everything wrong with a new definition, defaults already applied. Metadata but its name is judged elsewhere. */
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

/** For `/status`: only the names in force are looked at. */
export function validateCustomResourceDefinitionStatus(definition: CustomResourceDefinition): FieldError[] {
  const names = definition.status?.acceptedNames;
  return names === undefined ? [] : validateNames(names, 'status.acceptedNames');
}

export function isEstablished(definition: CustomResourceDefinition): boolean {
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
  checkGroup(spec.group ?? '', errors);
  checkScope(spec.scope ?? '', errors);
  const requirements = requirementsFor(old);
  for (const [index, version] of spec.versions.entries()) {
    if (version.schema?.openAPIV3Schema === undefined) {
      errors.push(requiredField(`spec.versions[${index}].schema.openAPIV3Schema`));
    }
  }
  errors.push(...validateVersions(spec, old, requirements, options));
  errors.push(...checkVersionSet(spec));
  errors.push(...requireNames(spec.names, 'spec.names'), ...validateNames(spec.names, 'spec.names'));
  if (spec.conversion !== undefined) {
    const oldVersions = old?.spec.conversion?.webhook?.conversionReviewVersions ?? [];
    errors.push(
      ...validateConversion(spec.conversion, 'spec.conversion', {
        recognisedReviewVersion: oldVersions.length === 0 || hasRecognisedReviewVersion(oldVersions),
        caBundleProblem: caBundleCheck(old, options),
      }),
    );
  }
  return errors;
}

// A broken bundle is tolerated before the definition serves, and where the stored one is broken too.
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

/**
 * Where errors about a part of the versions are filed. Upstream keeps what all versions share once for the whole
 * definition, and its errors name that place.
 */
interface Places {
  readonly schema: string | undefined;
  readonly subresources: string | undefined;
  readonly columns: string | undefined;
  readonly selectableFields: string | undefined;
}

function sharedPlaces(versions: readonly CustomResourceDefinitionVersion[]): Places {
  const shared = (read: (version: CustomResourceDefinitionVersion) => object | undefined, place: string) => {
    const first = versions[0] === undefined ? undefined : read(versions[0]);
    return versions.every((version) => sameJson(read(version), first)) ? place : undefined;
  };
  return {
    schema: shared((version) => version.schema, 'spec.validation'),
    subresources: shared((version) => version.subresources, 'spec.subresources'),
    columns: shared((version) => version.additionalPrinterColumns, 'spec.additionalPrinterColumns'),
    selectableFields: shared((version) => version.selectableFields, 'spec.selectableFields'),
  };
}

function validateVersions(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinition | undefined,
  requirements: SchemaRequirements,
  options: DefinitionCheckOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const places = sharedPlaces(spec.versions);
  const oldRules = rulesOf(old);
  for (const [index, version] of spec.versions.entries()) {
    const path = `spec.versions[${index}]`;
    const problems = dns1035LabelProblems(version.name ?? '');
    if (problems.length > 0) errors.push(invalidField(`${path}.name`, version.name ?? '', problems.join(',')));
    errors.push(...validateDeprecation(version, path));
    const isFirst = index === 0;
    if (isFirst || places.schema === undefined) {
      const oldVersion = old?.spec.versions.find((item) => item.name === version.name);
      const place = `${places.schema ?? `${path}.schema`}.openAPIV3Schema`;
      const checkOptions: SchemaCheckOptions = {
        ...options,
        path: place,
        requirements,
        unchanged: oldVersion !== undefined && sameJson(oldVersion.schema, version.schema),
        isPreexisting: (rule) => oldRules.has(rule.rule),
      };
      const hasStatus = (item: CustomResourceDefinitionVersion) => isSet(item.subresources?.status);
      const statusEnabled = places.schema === undefined ? hasStatus(version) : spec.versions.some(hasStatus);
      errors.push(...validateSchema(version.schema?.openAPIV3Schema, place, statusEnabled, checkOptions));
    }
    if (isFirst || places.subresources === undefined) {
      const place = places.subresources ?? `${path}.subresources`;
      if (version.subresources !== undefined) errors.push(...validateSubresources(version.subresources, place));
    }
    if (isFirst || places.columns === undefined) {
      const place = places.columns ?? `${path}.additionalPrinterColumns`;
      version.additionalPrinterColumns?.forEach((column, number) => {
        errors.push(...validateColumn(column, `${place}[${number}]`));
      });
    }
    if (isFirst || places.selectableFields === undefined) {
      errors.push(...validateSelectable(version, places.selectableFields ?? `${path}.selectableFields`, old));
    }
  }
  return errors;
}

function rulesOf(definition: CustomResourceDefinition | undefined): ReadonlySet<ValidationRule['rule']> {
  const rules = new Set<string>();
  const roots = definition?.spec.versions.flatMap((version) => version.schema?.openAPIV3Schema ?? []) ?? [];
  everyNode(roots, (node) => {
    for (const rule of node['x-kubernetes-validations'] ?? []) rules.add(rule.rule);
    return true;
  });
  return rules;
}

function validateSchema(
  schema: Schema | undefined,
  place: string,
  statusEnabled: boolean,
  options: SchemaCheckOptions,
): FieldError[] {
  if (schema === undefined) return [];
  const errors: FieldError[] = [];
  if (statusEnabled) checkRootWithStatus(schema, place, errors);
  if (schema.nullable === true) {
    errors.push(forbiddenField(`${place}.nullable`, 'nullable cannot be true at the root'));
  }
  return [...errors, ...checkStructural(schema, options)];
}

// With a status endpoint, status is validated by its own schema: the root may say nothing that would be lost then.
const rootKeywords: ReadonlySet<string> = new Set([
  ...['description', 'type', 'format', 'title', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'required', 'items'],
  ...['properties', 'externalDocs', 'example', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations'],
]);

const rootKeywordTexts =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern ' +
  'MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields ' +
  'XValidations';

function checkRootWithStatus(schema: Schema, place: string, errors: FieldError[]): void {
  const type = schema.type ?? '';
  if (type !== '' && type !== 'object') {
    const text = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(invalidField(`${place}.type`, type, text));
    return;
  }
  const stranger = Object.entries(schema).some(
    ([keyword, value]) => !rootKeywords.has(keyword) && isSet(value) && value !== false,
  );
  if (!stranger) return;
  const text = `only [${rootKeywordTexts}] fields are allowed at the root of the schema if the status subresource is enabled`;
  errors.push(invalidField(place, schema, text));
}

function validateSelectable(
  version: CustomResourceDefinitionVersion,
  place: string,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  const { selectableFields = [] } = version;
  const schema = version.schema?.openAPIV3Schema;
  if (selectableFields.length === 0) return [];
  if (schema === undefined) return [invalidField(place, '', 'may only be set when validations.schema is included')];
  const stored = old?.spec.versions.find((item) => item.name === version.name)?.selectableFields;
  const tooManyAllowed = exceedsSelectableFields(stored) && sameJson(stored, selectableFields);
  return validateSelectableFields(selectableFields, schema, place, tooManyAllowed);
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
