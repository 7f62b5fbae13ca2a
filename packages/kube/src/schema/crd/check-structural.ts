import { type FieldError, forbiddenField, invalidField } from '../../errors/index.js';
import { isJsonObject } from '../model/json-kind.js';
import type { Schema, ValidationRule } from '../schema.js';
import type { RuleEvaluator } from '../validation/rule-evaluator.js';
import type { EmbeddedMetadataCheck } from '../validation/validate-embedded.js';
import { checkDefaults } from './check-defaults.js';
import { checkInvariants } from './check-invariants.js';
import {
  checkExclusiveProperties,
  checkListType,
  checkMapType,
  checkSupported,
  type DefaultBan,
  everyChild,
  isReadable,
  type KeywordRequirements,
} from './check-keywords.js';
import { checkRuleTexts } from './check-rules-text.js';
import { foreign, isSet, itemsOf } from './foreign-schema.js';
import type { RuleCheck, RuleSite, SchemaStep } from './rule-check.js';

export interface SchemaCheckOptions {
  /** The path of the schema: `spec.versions[0].schema.openAPIV3Schema`. */
  readonly path?: string;
  readonly requirements?: SchemaRequirements;
  /** Compiles CEL rules. Called once, if the rest of the schema is valid. */
  readonly checkRules?: RuleCheck;
  /** Evaluates CEL rules on defaults. */
  readonly rules?: RuleEvaluator;
  readonly embeddedMetadata?: EmbeddedMetadataCheck;
  readonly unchanged?: boolean;
  readonly isPreexisting?: (rule: ValidationRule) => boolean;
}

export interface SchemaRequirements extends KeywordRequirements {
  readonly prunedDefaults: boolean;
}

export const allRequirements: SchemaRequirements = {
  prunedDefaults: true,
  validTypes: true,
  atomicSets: true,
  mapListKeys: true,
};

// Maximum depth of a schema. Upstream has no such limit, because Go stacks grow. Real schemas have at most a few dozen levels.
const schemaDepthMax = 200;

/** Validates the schema of a custom resource. */
export function checkStructural(schema: Schema, options: SchemaCheckOptions = {}): FieldError[] {
  const path = options.path ?? 'openAPIV3Schema';
  if (exceedsDepth(schema)) {
    return [forbiddenField(path, `must not be nested more than ${schemaDepthMax} levels deep`)];
  }
  const requirements = options.requirements ?? allRequirements;
  const readable = isReadable(schema);
  const errors = readable ? checkShape(schema, path, requirements, options) : [];
  const rulesAllowed = readable && errors.length === 0;
  const walk: KeywordWalk = { errors: [], sites: [], requirements };
  visit(walk, schema, path, rootPlace);
  errors.push(...walk.errors);
  if (rulesAllowed && walk.sites.length > 0) errors.push(...runRuleCheck(schema, path, walk, options));
  return errors;
}

function checkShape(
  schema: Schema,
  path: string,
  requirements: SchemaRequirements,
  options: SchemaCheckOptions,
): FieldError[] {
  const errors = checkInvariants(schema, path);
  if (errors.length > 0) return errors;
  return checkDefaults(schema, path, {
    requirePruned: requirements.prunedDefaults,
    ...(options.rules === undefined ? {} : { rules: options.rules }),
    ...(options.embeddedMetadata === undefined ? {} : { embeddedMetadata: options.embeddedMetadata }),
  });
}

// Compiles the rules of a schema, except rules at or above an invalid node: their errors would be misleading.
function runRuleCheck(
  root: Schema,
  path: string,
  walk: KeywordWalk,
  options: SchemaCheckOptions,
): readonly FieldError[] {
  const sites = walk.sites.filter((site) => !walk.errors.some((error) => error.field.startsWith(site.path)));
  if (options.checkRules === undefined || sites.length === 0) return [];
  const isPreexisting = options.isPreexisting ?? (() => false);
  return options.checkRules({ root, path, sites, unchanged: options.unchanged === true, isPreexisting });
}

interface KeywordWalk {
  readonly errors: FieldError[];
  readonly sites: RuleSite[];
  readonly requirements: KeywordRequirements;
}

/** The position of a node, as far as the checks of its keywords depend on it. */
interface Place {
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
  readonly defaultBan: DefaultBan;
  readonly uncorrelatablePath: string | undefined;
  /** The steps from the root. Undefined inside alternatives, where rules are not allowed. */
  readonly steps: readonly SchemaStep[] | undefined;
}

const rootPlace: Place = {
  isRoot: true,
  insideMeta: false,
  defaultBan: undefined,
  uncorrelatablePath: undefined,
  steps: [],
};

function visit(walk: KeywordWalk, schema: Schema, path: string, place: Place): void {
  const { errors, requirements } = walk;
  checkSupported(schema, path, requirements, place.defaultBan, errors);
  if (place.insideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const text = 'must not be used inside of resource meta';
    errors.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, text));
  }
  checkExclusiveProperties(schema, path, errors);
  if (place.steps !== undefined && (schema['x-kubernetes-validations']?.length ?? 0) > 0) {
    walk.sites.push({ schema, path, steps: place.steps, uncorrelatablePath: place.uncorrelatablePath });
  }
  visitValues(walk, schema, path, place);
  visitAlternatives(walk, schema, path, place);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalidField(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  checkMapType(schema, path, errors);
  checkListType(schema, path, requirements, errors);
  checkRuleTexts(schema, path, errors);
}

function visitValues(walk: KeywordWalk, schema: Schema, path: string, place: Place): void {
  const additional = schema.additionalProperties;
  if (isSet(additional) && isJsonObject(additional)) {
    const ban = place.insideMeta ? 'inside additionalProperties applying to object metadata' : place.defaultBan;
    const below = { ...place, isRoot: false, defaultBan: ban };
    const step: SchemaStep = { kind: 'additionalProperties', parent: schema };
    visit(walk, additional as Schema, `${path}.additionalProperties`, descend(below, step));
  }
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const step: SchemaStep = { kind: 'property', name, parent: schema };
    visit(walk, child, `${path}.properties[${name}]`, descend(propertyPlace(schema, name, place), step));
  }
  const items = itemsOf(foreign(schema));
  if (items === undefined) return;
  // List items have an old item only in lists of type map. Map entries always have an old value, even in atomic maps.
  const correlatable = schema['x-kubernetes-list-type'] === 'map';
  const uncorrelatablePath = correlatable ? place.uncorrelatablePath : (place.uncorrelatablePath ?? path);
  const below = { ...place, isRoot: false, uncorrelatablePath };
  visit(walk, items, `${path}.items`, descend(below, { kind: 'items', parent: schema }));
}

function propertyPlace(schema: Schema, name: string, place: Place): Place {
  const isMeta = name === 'metadata' || name === 'kind' || name === 'apiVersion';
  const entersMeta = isMeta && (place.isRoot || schema['x-kubernetes-embedded-resource'] === true);
  return {
    ...place,
    isRoot: false,
    insideMeta: place.insideMeta || entersMeta,
    defaultBan: entersMeta && place.isRoot ? `in top-level ${name}` : place.defaultBan,
  };
}

function descend(place: Place, step: SchemaStep): Place {
  return place.steps === undefined ? place : { ...place, steps: [...place.steps, step] };
}

function visitAlternatives(walk: KeywordWalk, schema: Schema, path: string, place: Place): void {
  const below: Place = { ...place, isRoot: false, steps: undefined };
  if (schema.not !== undefined) visit(walk, schema.not, `${path}.not`, below);
  for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
    schema[keyword]?.forEach((item, index) => visit(walk, item, `${path}.${keyword}[${index}]`, below));
  }
}

function exceedsDepth(root: Schema): boolean {
  let level: readonly Schema[] = [root];
  for (let depth = 0; depth <= schemaDepthMax; depth += 1) {
    if (level.length === 0) return false;
    level = level.flatMap((schema) => everyChild(schema));
  }
  return true;
}
