import type { FieldError } from '../../errors/index.js';
import { forbiddenField, invalidField } from '../../errors/index.js';
import type { Schema, ValidationRule } from '../../schema/index.js';
import { type CompiledRule, compileNode } from './compile-rule.js';

const RULE_COST_MAX = 10_000_000;
const DEFINITION_COST_MAX = 100_000_000;
/** The number of most expensive rules to report if the total cost exceeds the limit. */
const NAMED_MAX = 4;
const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

/** A node with rules, and its ancestors. */
export interface RuleNode {
  readonly schema: Schema;
  readonly path: string;
  readonly steps: readonly { readonly kind: 'property' | 'items' | 'additionalProperties'; readonly parent: Schema }[];
  /** Path below which old values cannot be found for new values, so that rules must not use oldSelf there. */
  readonly uncorrelatablePath: string | undefined;
}

export interface RuleCheckInput {
  readonly path: string;
  readonly sites: readonly RuleNode[];
  /** Whether the schema is unchanged. If so, the estimated cost is not checked again. */
  readonly unchanged?: boolean;
}

/** Validates that the rules of a schema compile and that their estimated cost is within limits, with upstream's messages. */
export function checkRules(input: RuleCheckInput): FieldError[] {
  const totals = new CostTotals();
  const errors: FieldError[] = [];
  for (const site of input.sites) errors.push(...checkSite(site, totals, input.unchanged === true));
  errors.push(...totals.errors(input.path));
  return errors;
}

function checkSite(site: RuleNode, totals: CostTotals, ignoresCost: boolean): FieldError[] {
  const base = `${site.path}.x-kubernetes-validations`;
  const isResource = site.steps.length === 0 || site.schema['x-kubernetes-embedded-resource'] === true;
  const node = compileNode(site.schema, isResource);
  if (node === undefined) {
    const detail =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    return [{ reason: 'InternalError', field: base, message: `Internal error: ${detail}` }];
  }
  const occurrences = occurrencesMax(site) ?? node.occurrencesMax;
  return node.rules.flatMap((rule, index) => {
    const path = `${base}[${index}]`;
    const costs = costErrors(rule, path, occurrences, totals, ignoresCost);
    return [...costs.rule, ...compileErrors(rule, path), ...costs.message, ...oldSelfErrors(rule, path, site)];
  });
}

/** Returns the product of the size limits of all lists and maps above the node, or undefined if one has no limit. */
function occurrencesMax(site: RuleNode): number | undefined {
  let product: number | undefined = 1;
  for (const { parent } of site.steps) {
    const bound = elementsMax(parent);
    product = product === undefined || bound === undefined ? undefined : product * bound;
  }
  return product;
}

function elementsMax(schema: Schema): number | undefined {
  if (schema.type === 'array') return schema.maxItems;
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  return isMap ? schema.maxProperties : 1;
}

interface CostErrors {
  readonly rule: FieldError[];
  readonly message: FieldError[];
}

function costErrors(
  rule: CompiledRule,
  path: string,
  occurrences: number,
  totals: CostTotals,
  ignored: boolean,
): CostErrors {
  const cost = rule.costMax * occurrences;
  totals.add(`${path}.rule`, cost);
  const found: CostErrors = { rule: [], message: [] };
  if (!ignored && cost > RULE_COST_MAX) {
    found.rule.push(forbiddenField(`${path}.rule`, tooExpensive('estimated rule cost', cost, RULE_COST_MAX)));
  }
  if (rule.messageProgram === undefined) return found;
  totals.add(`${path}.messageExpression`, rule.messageCostMax);
  if (!ignored && rule.messageCostMax > RULE_COST_MAX) {
    const detail = tooExpensive('estimated messageExpression cost', rule.messageCostMax, RULE_COST_MAX);
    found.message.push(forbiddenField(`${path}.messageExpression`, detail));
  }
  return found;
}

function compileErrors(rule: CompiledRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (rule.error !== undefined) errors.push(invalidRule(`${path}.rule`, rule.rule, rule.error));
  if (rule.messageError !== undefined)
    errors.push(invalidRule(`${path}.messageExpression`, rule.rule, rule.messageError));
  return errors;
}

function oldSelfErrors(rule: CompiledRule, path: string, site: RuleNode): FieldError[] {
  if (!rule.usesOldSelf) {
    if (rule.rule.optionalOldSelf === undefined) return [];
    const detail = 'may not be set if oldSelf is not used in rule';
    return [invalidField(`${path}.optionalOldSelf`, rule.rule.optionalOldSelf, detail)];
  }
  if (site.uncorrelatablePath === undefined) return [];
  const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${site.uncorrelatablePath}`;
  return [invalidField(`${path}.rule`, rule.rule.rule, detail)];
}

/**
 * Returns the error of an invalid rule. Upstream prints its internal type of a rule as Go's JSON, including field names and
 * escapes.
 */
function invalidRule(field: string, rule: ValidationRule, detail: string): FieldError {
  const shown = JSON.stringify({
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  }).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${shown}: ${detail}` };
}

function tooExpensive(subject: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${subject} exceeds budget by factor of ${shown} ${ADVICE}`;
}

class CostTotals {
  private total = 0;
  private worst: { readonly path: string; readonly cost: number }[] = [];

  add(path: string, cost: number): void {
    this.total += cost;
    if (cost < DEFINITION_COST_MAX / 100) return;
    this.worst.push({ path, cost });
    this.worst.sort((a, b) => b.cost - a.cost);
    this.worst = this.worst.slice(0, NAMED_MAX);
  }

  errors(path: string): FieldError[] {
    if (this.total <= DEFINITION_COST_MAX) return [];
    const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const subject = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.worst.map((rule) => forbiddenField(rule.path, detail)),
      forbiddenField(path, tooExpensive(subject, this.total, DEFINITION_COST_MAX)),
    ];
  }
}
