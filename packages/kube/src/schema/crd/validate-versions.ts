import { type FieldError, forbiddenField, invalidField } from '../../errors/index.js';
import type { Schema, ValidationRule } from '../schema.js';
import { dns1035LabelProblems } from '../validation/names.js';
import { checkStructural, type SchemaCheckOptions, type SchemaRequirements } from './check-structural.js';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from './custom-resource-definition.js';
import { isSet, orEmpty } from './foreign-schema.js';
import { everyNode, requirementsFor, sameJson } from './requirements.js';
import {
  exceedsSelectableFields,
  validateColumn,
  validateDeprecation,
  validateSelectableFields,
  validateSubresources,
} from './validate-version.js';

/** Dependencies of CRD validation that other packages provide. */
export interface DefinitionCheckOptions extends Pick<SchemaCheckOptions, 'checkRules' | 'rules' | 'embeddedMetadata'> {
  /** Returns the problem of a base64 CA bundle. Called only for established CRDs. */
  readonly caBundleProblem?: (caBundle: string) => string | undefined;
}

/**
 * Paths of errors about the parts of versions. Upstream stores a part that all versions share once for the whole CRD, and its
 * errors contain that path. Undefined if the versions differ in the part.
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

/** Validates each version: its name, schema, subresources, columns and selectable fields. */
export function validateVersions(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinition | undefined,
  options: DefinitionCheckOptions,
): FieldError[] {
  const context: VersionContext = {
    spec,
    old,
    options,
    places: sharedPlaces(spec.versions),
    requirements: requirementsFor(old),
    oldRules: rulesOf(old),
  };
  return spec.versions.flatMap((version, index) => validateVersion(context, version, index));
}

interface VersionContext {
  readonly spec: CustomResourceDefinitionSpec;
  readonly old: CustomResourceDefinition | undefined;
  readonly options: DefinitionCheckOptions;
  readonly places: Places;
  readonly requirements: SchemaRequirements;
  readonly oldRules: ReadonlySet<string>;
}

function validateVersion(
  context: VersionContext,
  version: CustomResourceDefinitionVersion,
  index: number,
): FieldError[] {
  const path = `spec.versions[${index}]`;
  const name = orEmpty(version.name);
  const problems = dns1035LabelProblems(name);
  const errors = problems.length === 0 ? [] : [invalidField(`${path}.name`, name, problems.join(','))];
  errors.push(...validateDeprecation(version, path));
  // Returns the path of a part, or undefined if it was validated before: a part that all versions share is validated once.
  const placeOf = (part: keyof Places, own: string): string | undefined => {
    const shared = context.places[part];
    if (shared === undefined) return `${path}.${own}`;
    return index === 0 ? shared : undefined;
  };
  const schemaPlace = placeOf('schema', 'schema');
  if (schemaPlace !== undefined) {
    errors.push(...validateSchemaOf(context, version, `${schemaPlace}.openAPIV3Schema`));
  }
  const subresourcesPlace = placeOf('subresources', 'subresources');
  if (subresourcesPlace !== undefined && version.subresources) {
    errors.push(...validateSubresources(version.subresources, subresourcesPlace));
  }
  const columnsPlace = placeOf('columns', 'additionalPrinterColumns');
  if (columnsPlace !== undefined) {
    const columns = version.additionalPrinterColumns ?? [];
    errors.push(...columns.flatMap((column, number) => validateColumn(column, `${columnsPlace}[${number}]`)));
  }
  const selectablePlace = placeOf('selectableFields', 'selectableFields');
  if (selectablePlace !== undefined) errors.push(...validateSelectable(version, selectablePlace, context.old));
  return errors;
}

function validateSchemaOf(
  context: VersionContext,
  version: CustomResourceDefinitionVersion,
  place: string,
): FieldError[] {
  const { spec, old, options, places, requirements, oldRules } = context;
  const oldVersion = old?.spec.versions.find((item) => item.name === version.name);
  const hasStatus = (item: CustomResourceDefinitionVersion) => isSet(item.subresources?.status);
  const statusEnabled = places.schema === undefined ? hasStatus(version) : spec.versions.some(hasStatus);
  return validateSchema(version.schema?.openAPIV3Schema, place, statusEnabled, {
    ...options,
    path: place,
    requirements,
    unchanged: oldVersion !== undefined && sameJson(oldVersion.schema, version.schema),
    isPreexisting: (rule) => oldRules.has(rule.rule),
  });
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

// Keywords that the root of a schema with a status subresource may use. The status is validated by its own schema, for which the
// other keywords of the root would be lost.
const rootKeywords: ReadonlySet<string> = new Set(
  (
    'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    'maxItems minItems uniqueItems multipleOf required items properties externalDocs example ' +
    'x-kubernetes-preserve-unknown-fields x-kubernetes-validations'
  ).split(' '),
);

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
  const hasOtherKeyword = Object.entries(schema).some(
    ([keyword, value]) => !rootKeywords.has(keyword) && isSet(value) && value !== false,
  );
  if (!hasOtherKeyword) return;
  const text = `only [${rootKeywordTexts}] fields are allowed at the root of the schema if the status subresource is enabled`;
  errors.push(invalidField(place, schema, text));
}

function validateSelectable(
  version: CustomResourceDefinitionVersion,
  place: string,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  const selectableFields = version.selectableFields ?? [];
  const schema = version.schema?.openAPIV3Schema;
  if (selectableFields.length === 0) return [];
  if (schema === undefined) return [invalidField(place, '', 'may only be set when validations.schema is included')];
  const stored = old?.spec.versions.find((item) => item.name === version.name)?.selectableFields;
  const tooManyAllowed = exceedsSelectableFields(stored) && sameJson(stored, selectableFields);
  return validateSelectableFields(selectableFields, schema, place, tooManyAllowed);
}
