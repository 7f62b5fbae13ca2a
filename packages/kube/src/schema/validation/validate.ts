import { type FieldError, invalidField } from '../../errors/index.js';
import type { JsonObject, JsonValue } from '../../json/index.js';
import { isJsonObject } from '../model/json-kind.js';
import { getOwn } from '../model/own-property.js';
import { traitsOf } from '../model/traits.js';
import type { Schema } from '../schema.js';
import type { RuleEvaluator } from './rule-evaluator.js';
import { type EmbeddedMetadataCheck, validateEmbedded } from './validate-embedded.js';
import { validateListTypes } from './validate-list-types.js';
import { validateStructure } from './validate-structure.js';

export interface ValidateOptions {
  /** The stored object, converted to the same version. Absent on create. */
  readonly old?: JsonValue | undefined;
  /**
   * The subresource of the request. With `status`, only the structure of status is validated; lists and rules are validated on
   * the whole object.
   */
  readonly subresource?: string;
  readonly rules?: RuleEvaluator;
  readonly embeddedMetadata?: EmbeddedMetadataCheck;
}

/**
 * Validates an object against its schema, in upstream's order: structure, embedded objects, list uniqueness, rules. The
 * object's own metadata is validated elsewhere. On update, errors of unchanged values are not reported.
 */
export function validate(schema: Schema, value: JsonValue, options: ValidateOptions = {}): FieldError[] {
  const statusOnly = options.subresource === 'status';
  const errors = statusOnly ? validateStatus(schema, value, options.old) : validateStructure(schema, value, options);
  if (!statusOnly && options.embeddedMetadata !== undefined) {
    errors.push(...validateEmbedded(schema, value, options.embeddedMetadata));
  }
  errors.push(...validateUniqueness(schema, value, options.old));
  errors.push(...validateRules(schema, value, options, errors));
  return errors;
}

function validateStatus(schema: Schema, value: JsonValue, old: JsonValue | undefined): FieldError[] {
  const statusSchema = schema.properties?.['status'];
  const status = isJsonObject(value) ? getOwn(value, 'status') : undefined;
  if (statusSchema === undefined || status === undefined) return [];
  const oldStatus = isJsonObject(old) ? getOwn<JsonObject[string]>(old, 'status') : undefined;
  return validateStructure(statusSchema, status, { old: oldStatus, path: 'status' });
}

// Validates that list items are unique. Reports duplicates only if the stored object has none, because the stored
// object may be older than the list type.
function validateUniqueness(schema: Schema, value: JsonValue, old: JsonValue | undefined): FieldError[] {
  if (old !== undefined && validateListTypes(schema, value, old).length === 0) return [];
  const errors = validateListTypes(schema, value);
  if (errors.length === 0 || old === undefined) return errors;
  return validateListTypes(schema, old).length > 0 ? [] : errors;
}

const blockingReasons: ReadonlySet<FieldError['reason']> = new Set<FieldError['reason']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const rulesSkipped =
  'some validation rules were not checked because the object was invalid; ' +
  'correct the existing errors to complete validation';

/**
 * Evaluates rules, which rely on types and bounds. If those are violated, an additional error reports that the rules did not run.
 */
function validateRules(
  schema: Schema,
  value: JsonValue,
  options: ValidateOptions,
  found: readonly FieldError[],
): readonly FieldError[] {
  if (options.rules === undefined || !traitsOf(schema).rules) return [];
  if (found.some((error) => blockingReasons.has(error.reason))) return [invalidField('<nil>', null, rulesSkipped)];
  return options.rules.evaluate({ schema, value, old: options.old, path: '', isResource: true });
}
