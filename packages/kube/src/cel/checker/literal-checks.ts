import { tryParseDuration } from '../../text/duration.js';
import { tryParseTimeNanos } from '../../text/time.js';
import { CLAUSES, compileRegex, parseFormat } from '../library/index.js';
import type { Call, Expression, LiteralValue } from '../syntax/index.js';
import { childrenOf, type Issue } from '../syntax/index.js';
import type { CelType } from '../types/index.js';
import { dynType, formatType, sameType, unwrapOptional } from '../types/index.js';
import { Failure, NANOS_PER_SECOND, Timestamp, timestampOf } from '../values/index.js';
import type { CheckedExpression } from './checked.js';

type Types = CheckedExpression['types'];

/** Reports errors in constants that would otherwise occur only at run time. */
export function literalIssues(checked: CheckedExpression): readonly Issue[] {
  const issues: Issue[] = [];
  visit(checked.root, checked, false, issues);
  return issues;
}

function visit(node: Expression, checked: CheckedExpression, insideFormat: boolean, issues: Issue[]): void {
  if (!insideFormat && node.kind === 'list') listIssues(node, checked.types, issues);
  if (!insideFormat && node.kind === 'map') mapIssues(node, checked.types, issues);
  if (node.kind === 'call') callIssues(node, checked, issues);
  const isFormat = node.kind === 'call' && node.function === 'format';
  for (const child of childrenOf(node)) visit(child, checked, insideFormat || isFormat, issues);
}

function typeAt(types: Types, node: Expression, isOptional: boolean): CelType {
  const type = types.get(node.id) ?? dynType;
  return isOptional ? (unwrapOptional(type) ?? type) : type;
}

function mismatch(offset: number, expected: CelType, actual: CelType): Issue {
  return { offset, message: `expected type '${formatType(expected)}' but found '${formatType(actual)}'` };
}

/** Elements of a literal must have one type: `[1, 'a']` is rejected, although in CEL it is a list of dyn. */
function listIssues(node: Extract<Expression, { kind: 'list' }>, types: Types, issues: Issue[]): void {
  let expected: CelType | undefined;
  for (const [index, element] of node.elements.entries()) {
    const type = typeAt(types, element, node.optional.has(index));
    expected ??= type;
    if (sameType(expected, type)) continue;
    issues.push(mismatch(element.offset, expected, type));
    return;
  }
}

function mapIssues(node: Extract<Expression, { kind: 'map' }>, types: Types, issues: Issue[]): void {
  let expected: { key: CelType; value: CelType } | undefined;
  for (const entry of node.entries) {
    const key = typeAt(types, entry.key, false);
    const value = typeAt(types, entry.value, entry.optional);
    expected ??= { key, value };
    if (!sameType(expected.key, key)) issues.push(mismatch(entry.key.offset, expected.key, key));
    if (!sameType(expected.value, value)) issues.push(mismatch(entry.value.offset, expected.value, value));
  }
}

function callIssues(node: Call, checked: CheckedExpression, issues: Issue[]): void {
  if (node.function === 'format') formatIssues(node, checked, issues);
  const arg = node.args.at(node.function === 'matches' ? -1 : 0);
  if (arg?.kind !== 'literal' || isValidLiteral(node.function, arg.literal)) return;
  issues.push({ offset: arg.offset, message: `invalid ${node.function} argument` });
}

function isValidLiteral(name: string, literal: LiteralValue): boolean {
  const text = literal.type === 'string' ? literal.value : undefined;
  switch (name) {
    case 'matches':
      return text === undefined || !(compileRegex(text) instanceof Failure);
    case 'duration':
      return text !== undefined && tryParseDuration(text) !== undefined;
    case 'timestamp':
      if (literal.type === 'int') return timestampOf(literal.value * NANOS_PER_SECOND) instanceof Timestamp;
      return text !== undefined && tryParseTimeNanos(text) !== undefined;
    default:
      return true;
  }
}

function formatIssues(node: Call, checked: CheckedExpression, issues: Issue[]): void {
  const list = node.args[0];
  const target = node.target;
  if (target?.kind !== 'literal' || target.literal.type !== 'string' || list?.kind !== 'list') return;
  const pieces = parseFormat(target.literal.value);
  if (pieces instanceof Failure) {
    issues.push({ offset: node.offset, message: pieces.message });
    return;
  }
  let used = 0;
  for (const piece of pieces) {
    if (!('clause' in piece)) continue;
    const arg = list.elements[used];
    if (arg === undefined) {
      issues.push({ offset: node.offset, message: `index ${used} out of range` });
      return;
    }
    used += 1;
    const rule = CLAUSES.get(piece.clause);
    const type = checked.types.get(arg.id) ?? dynType;
    if (rule === undefined || type.kind === 'dyn' || rule.kinds.includes(type.kind)) continue;
    issues.push({ offset: arg.offset, message: `error during formatting: ${rule.typeError} ${type.name}` });
    return;
  }
  if (list.elements.length > used) {
    const counts = `(expected ${used}, got ${list.elements.length})`;
    issues.push({ offset: node.offset, message: `too many arguments supplied to string.format ${counts}` });
  }
}
