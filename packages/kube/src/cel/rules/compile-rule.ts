import type { Schema, ValidationRule } from '../../schema/index.js';
import { environment } from '../checker/index.js';
import { estimateCost } from '../cost/estimate.js';
import { compileProgram, type Program, ProgramError } from '../program/index.js';
import type { CelType } from '../types/index.js';
import { optionalType } from '../types/index.js';
import { type DeclaredType, declaredType, REQUEST_BYTES_MAX, sizeLookup, toCelType } from './declared-type.js';
import { normalizeFieldPath } from './field-path.js';

/** A compiled or rejected rule. A rule with neither program nor error is empty. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program?: Program;
  readonly error?: string;
  readonly usesOldSelf: boolean;
  readonly costMax: number;
  readonly messageProgram?: Program;
  readonly messageError?: string;
  readonly messageCostMax: number;
  /** The rule's fieldPath relative to the node, in the format of error paths. */
  readonly fieldPath: string;
}

export interface CompiledNode {
  readonly rules: readonly CompiledRule[];
  /** How often this node can occur in one request, unless a list above it has a lower limit. */
  readonly occurrencesMax: number;
}

/** Compiles the rules of a node. Returns undefined if the node is not visible to CEL. */
export function compileNode(schema: Schema, isResource: boolean): CompiledNode | undefined {
  const declared = declaredType(schema, isResource);
  if (declared === undefined) return undefined;
  const self = toCelType(declared);
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule) => compileRule(schema, rule, self, declared));
  return { rules, occurrencesMax: Math.floor(REQUEST_BYTES_MAX / (declared.bytesMin + 1)) };
}

const NOTHING = { usesOldSelf: false, costMax: 0, messageCostMax: 0, fieldPath: '' };

function compileRule(schema: Schema, rule: ValidationRule, self: CelType, declared: DeclaredType): CompiledRule {
  if (rule.rule.trim() === '') return { ...NOTHING, rule };
  const oldSelf = rule.optionalOldSelf === true ? optionalType(self) : self;
  const env = environment([
    ['self', self],
    ['oldSelf', oldSelf],
  ]);
  const compiled = tryCompile(() => compileProgram(rule.rule, env), '');
  if ('error' in compiled) return { ...NOTHING, rule, error: compiled.error, usesOldSelf: false };
  const { program } = compiled;
  if (program.resultType.kind !== 'bool') return { ...NOTHING, rule, error: 'cel expression must evaluate to a bool' };
  const sizeAt = sizeLookup(declared);
  const known = {
    rule,
    program,
    usesOldSelf: program.usesVariable('oldSelf'),
    costMax: estimateCost(program.checked, sizeAt).max,
    fieldPath: rule.fieldPath === undefined ? '' : (normalizeFieldPath(schema, rule.fieldPath) ?? ''),
  };
  const text = rule.messageExpression ?? '';
  if (text === '') return { ...known, messageCostMax: 0 };
  const message = tryCompile(() => compileProgram(text, env), 'messageExpression ');
  // Like upstream, a rule whose messageExpression does not compile reports failures without its fieldPath.
  if ('error' in message) return { ...known, messageError: message.error, messageCostMax: 0, fieldPath: '' };
  if (message.program.resultType.kind !== 'string') {
    return { ...known, messageError: 'messageExpression must evaluate to a string', messageCostMax: 0, fieldPath: '' };
  }
  return {
    ...known,
    messageProgram: message.program,
    messageCostMax: estimateCost(message.program.checked, sizeAt).max,
  };
}

function tryCompile(
  compile: () => Program,
  prefix: string,
): { readonly program: Program } | { readonly error: string } {
  try {
    return { program: compile() };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const stage =
      error.stage === 'compilation'
        ? 'compilation failed'
        : prefix === ''
          ? 'program instantiation failed'
          : 'instantiation failed';
    return { error: `${prefix}${stage}: ${error.message}` };
  }
}
