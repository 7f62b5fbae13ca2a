import type { FieldError } from '../../errors/index.js';
import { duplicateField, forbiddenField, formatFieldError, invalidField, requiredField } from '../../errors/index.js';
import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../../schema/index.js';
import type { Bindings, Outcome } from '../program/index.js';
import type { Value } from '../values/index.js';
import { Failure, fromTypedJson, Optional, withObjectMeta } from '../values/index.js';
import type { CompiledRule } from './compile-rule.js';
import {
  asArray,
  asObject,
  Correlation,
  isRatcheted,
  itemFinder,
  noRatchet,
  ownValue,
  type Ratchet,
  ratchetItem,
  ratchetProperty,
} from './correlation.js';
import { type RuleTree, ruleTree } from './rule-tree.js';

/** The cost limit of all rules of one object together. */
const OBJECT_COST_MAX = 10_000_000;
const MESSAGE_BYTES_MAX = 5 * 1024;

export interface RuleEvaluationInput {
  readonly schema: Schema;
  readonly value: JsonValue;
  /** The stored object, converted to the same version. Absent on create. */
  readonly old: JsonValue | undefined;
  /** The prefix of the field of every error. Empty for whole objects. */
  readonly path: string;
  readonly isResource: boolean;
  readonly costMax?: number;
  /** Called with errors that do not fail an update because the value is unchanged. */
  readonly warn?: (text: string) => void;
}

/** Evaluates all rules of the schema on a value that has passed structural validation. */
export function evaluateRules(input: RuleEvaluationInput): FieldError[] {
  const tree = ruleTree(input.schema, input.isResource);
  if (tree === undefined) return [];
  const evaluation = new Evaluation(input.costMax ?? OBJECT_COST_MAX, input.warn);
  const ratchet =
    input.old === undefined
      ? noRatchet
      : { current: new Correlation(input.value, input.old, input.schema), nearest: undefined };
  evaluation.visit(tree, { path: input.path, value: input.value, old: input.old, ratchet });
  return evaluation.errors;
}

interface Place {
  readonly path: string;
  readonly value: JsonValue | undefined;
  readonly old: JsonValue | undefined;
  readonly ratchet: Ratchet;
}

class Evaluation {
  readonly errors: FieldError[] = [];

  constructor(
    private budget: number,
    private readonly warn: ((text: string) => void) | undefined,
  ) {}

  /**
   * Evaluates the rules of a node and of the nodes below it. Returns false if the budget is exceeded and nothing more may run.
   */
  visit(tree: RuleTree, place: Place): boolean {
    if (place.value === null || place.value === undefined) return true;
    if (tree.hasRules && !this.runRules(tree, place)) return false;
    const items = asArray(place.value);
    if (items !== undefined) return tree.items === undefined || this.visitItems(tree, tree.items, items, place);
    return this.visitFields(tree, place);
  }

  private visitItems(tree: RuleTree, child: RuleTree, items: readonly JsonValue[], place: Place): boolean {
    const oldItem = itemFinder(tree.schema, place.old);
    return items.every((value, index) =>
      this.visit(child, {
        path: `${place.path}[${index}]`,
        value,
        old: oldItem(value),
        ratchet: ratchetItem(place.ratchet, index),
      }),
    );
  }

  private visitFields(tree: RuleTree, place: Place): boolean {
    const object = asObject(place.value);
    if (object === undefined) return true;
    for (const [name, value] of Object.entries(object)) {
      const child = tree.values ?? tree.properties.get(name);
      if (child === undefined) continue;
      const path = tree.values === undefined ? joinPath(place.path, name) : `${place.path}[${name}]`;
      const ratchet = ratchetProperty(place.ratchet, name);
      if (!this.visit(child, { path, value, old: ownValue(place.old, name), ratchet })) return false;
    }
    return true;
  }

  private runRules(tree: RuleTree, place: Place): boolean {
    const node = tree.node;
    const field = place.path === '' ? '<nil>' : place.path;
    const type = tree.schema.type ?? '';
    if (node === undefined) return true;
    if (this.budget <= 0) {
      this.errors.push(invalidField(field, type, OUT_OF_BUDGET));
      return false;
    }
    const schema = tree.isResource ? withObjectMeta(tree.schema) : tree.schema;
    const activation = activations(schema, place);
    return node.rules.every((rule) => this.runRule(rule, tree, place, field, activation));
  }

  private runRule(rule: CompiledRule, tree: RuleTree, place: Place, field: string, activation: Activations): boolean {
    const type = tree.schema.type ?? '';
    if (rule.error !== undefined) {
      this.errors.push(invalidField(field, type, `rule compile error: ${rule.error}`));
      return true;
    }
    const isOptional = rule.rule.optionalOldSelf === true;
    const hasOld = place.old !== undefined && place.old !== null;
    // There is no old value: skip transition rules unless they set optionalOldSelf.
    if (rule.program === undefined || (rule.usesOldSelf && !hasOld && !isOptional)) return true;
    const outcome = rule.program.run(isOptional ? activation.optional : activation.plain);
    if (outcome.cost > this.budget) {
      this.errors.push(invalidField(field, type, OUT_OF_BUDGET));
      return false;
    }
    this.budget -= outcome.cost;
    if (outcome.value instanceof Failure) return this.failed(rule, outcome, field, type);
    return outcome.value === true || this.reportFailure(rule, tree, place, activation);
  }

  private failed(rule: CompiledRule, outcome: Outcome, field: string, type: string): boolean {
    const message = outcome.value instanceof Failure ? outcome.value.message : '';
    const name = ruleName(rule);
    if (message.startsWith('no such overload')) {
      const detail = `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
      this.errors.push(invalidField(field, type, detail));
      return true;
    }
    if (outcome.stopped) {
      const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
      this.errors.push(invalidField(field, type, detail));
      return false;
    }
    this.errors.push(invalidField(field, type, `${message} evaluating rule: ${name}`));
    return true;
  }

  /** Reports a rule that is false: an error, or a warning for an unchanged value. */
  private reportFailure(rule: CompiledRule, tree: RuleTree, place: Place, activation: Activations): boolean {
    const path = rule.fieldPath === '' ? place.path : joinPath(place.path, rule.fieldPath);
    const field = path === '' ? '<nil>' : path;
    const report = (error: FieldError): void => {
      if (rule.usesOldSelf || !isRatcheted(place.ratchet)) this.errors.push(error);
      else this.warn?.(formatFieldError(error));
    };
    const message = rule.messageProgram === undefined ? undefined : this.message(rule, activation.plain);
    if (message !== undefined && 'stop' in message) {
      report(invalidField(field, tree.schema.type ?? '', message.stop));
      return false;
    }
    report(ruleError(rule, field, tree.schema, place.value, message?.text ?? ruleMessage(rule)));
    return true;
  }

  /** Evaluates a messageExpression. Returns undefined if it fails, and the rule's message is used instead. */
  private message(
    rule: CompiledRule,
    bindings: Bindings,
  ): { readonly text: string } | { readonly stop: string } | undefined {
    const outcome = rule.messageProgram?.run(bindings);
    if (outcome === undefined) return undefined;
    if (outcome.cost > this.budget) {
      return {
        stop: 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      };
    }
    if (outcome.stopped) {
      const source = JSON.stringify(rule.rule.messageExpression ?? '');
      return {
        stop: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`,
      };
    }
    this.budget -= outcome.cost;
    const text = typeof outcome.value === 'string' ? outcome.value.trim() : '';
    const isUsable = text !== '' && Buffer.byteLength(text) <= MESSAGE_BYTES_MAX && !text.includes('\n');
    return isUsable ? { text } : undefined;
  }
}

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

interface Activations {
  readonly plain: Bindings;
  readonly optional: Bindings;
}

function activations(schema: Schema, place: Place): Activations {
  const self = (): Value => fromTypedJson(place.value, schema);
  const hasOld = place.old !== undefined && place.old !== null;
  const oldSelf = (): Value => fromTypedJson(place.old, schema);
  const plain = new Map<string, () => Value>([['self', self]]);
  if (hasOld) plain.set('oldSelf', oldSelf);
  const optional = new Map<string, () => Value>([
    ['self', self],
    ['oldSelf', () => (hasOld ? Optional.of(oldSelf()) : Optional.none)],
  ]);
  return { plain, optional };
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function ruleName(rule: CompiledRule): string {
  const message = rule.rule.message ?? '';
  return (message === '' ? rule.rule.rule : message).trim();
}

function ruleMessage(rule: CompiledRule): string {
  const message = rule.rule.message ?? '';
  return message === '' ? `failed rule: ${ruleName(rule)}` : message.trim();
}

/** Returns the error of a rule. Values of objects and lists are not printed: since 1.36 the error contains only the message. */
function ruleError(
  rule: CompiledRule,
  field: string,
  schema: Schema,
  value: JsonValue | undefined,
  detail: string,
): FieldError {
  const isOmitted = schema.type === 'object' || schema.type === 'array';
  switch (rule.rule.reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueRequired':
      return requiredField(field, detail);
    case 'FieldValueDuplicate':
      return isOmitted
        ? { reason: 'FieldValueDuplicate', field, message: 'Duplicate value' }
        : duplicateField(field, value);
    default:
      return isOmitted
        ? { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` }
        : invalidField(field, value, detail);
  }
}
