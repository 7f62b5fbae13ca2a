import { type FieldError, invalidField } from '../../errors/index.js';
import { deepEqual, cloneJson, type JsonValue } from '../../json/index.js';
import { structuralChildren, traitsOf } from '../model/traits.js';
import type { Schema } from '../schema.js';
import { prune } from '../shape/prune.js';
import type { RuleEvaluator } from '../validation/rule-evaluator.js';
import { type EmbeddedMetadataCheck, validateEmbedded } from '../validation/validate-embedded.js';
import { validateStructure } from '../validation/validate-structure.js';

export interface DefaultCheckOptions {
  readonly requirePruned: boolean;
  readonly rules?: RuleEvaluator;
  readonly embeddedMetadata?: EmbeddedMetadataCheck;
}

/** Validates defaults, including CEL rules, and rejects unknown fields in them. For structural schemas only. */
export function checkDefaults(schema: Schema, path: string, options: DefaultCheckOptions): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, path, options, errors);
  return errors;
}

function visit(schema: Schema, path: string, options: DefaultCheckOptions, errors: FieldError[]): void {
  if (!traitsOf(schema).defaults) return;
  if (schema.default !== undefined && schema.default !== null) {
    checkDefault(schema, schema.default, `${path}.default`, options, errors);
  }
  if (structuralChildren(schema).length === 0) return;
  if (schema.items !== undefined) visit(schema.items, `${path}.items`, options, errors);
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    visit(child, `${path}.properties[${name}]`, options, errors);
  }
}

function checkDefault(
  schema: Schema,
  value: JsonValue,
  path: string,
  options: DefaultCheckOptions,
  errors: FieldError[],
): void {
  if (options.requirePruned && !isPruned(schema, value)) {
    errors.push(invalidField(path, value, 'must not have unknown fields'));
  }
  const found = [
    ...(options.embeddedMetadata === undefined ? [] : validateEmbedded(schema, value, options.embeddedMetadata, path)),
  ];
  if (found.length === 0) found.push(...validateStructure(schema, value, { path }));
  if (found.length === 0) found.push(...checkRules(schema, value, path, options.rules));
  errors.push(...found);
}

export function isPruned(schema: Schema, value: JsonValue): boolean {
  const copy = cloneJson(value);
  prune(schema, copy, { isResource: schema['x-kubernetes-embedded-resource'] === true });
  return deepEqual(copy, value);
}

// Evaluates the rules on a default twice, as a new and as an unchanged value: transition rules see both cases.
function checkRules(
  schema: Schema,
  value: JsonValue,
  path: string,
  rules: RuleEvaluator | undefined,
): readonly FieldError[] {
  if (rules === undefined || !traitsOf(schema).rules) return [];
  const isResource = schema['x-kubernetes-embedded-resource'] === true;
  const unchanged = rules.evaluate({ schema, value, old: value, path, isResource });
  if (unchanged.length > 0) return unchanged;
  return rules.evaluate({ schema, value, old: undefined, path, isResource });
}
