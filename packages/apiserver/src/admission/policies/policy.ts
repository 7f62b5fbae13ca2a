import {
  celDyn,
  type CelType,
  type Fields,
  fieldsOf,
  type Frozen,
  isFields,
  itemsOf,
  type KubeObject,
  type LabelSelectorObject,
  textOf,
  textsOf,
} from '@slipway/kube';
import type { EnvironmentOptions } from '../../kinds/index.js';
import { type CompiledExpression, compileConditions, tryCompile } from '../match-conditions.js';
import { compileMatch, type MatchResources } from '../matching/match-resources.js';

/** The compiled common part of validating and mutating policies. */
export interface Policy {
  readonly name: string;
  readonly match: MatchResources;
  readonly ignoresFailure: boolean;
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly conditions: readonly CompiledExpression[];
  readonly variables: ReadonlyMap<string, CompiledExpression>;
}

export interface ValidatingPolicy extends Policy {
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly CompiledExpression[];
}

export interface Validation {
  readonly expression: CompiledExpression;
  readonly message: string;
  readonly messageExpression: CompiledExpression | undefined;
  readonly reason: string;
}

export interface MutatingPolicy extends Policy {
  readonly mutations: readonly Mutation[];
  readonly reinvoked: boolean;
}

export interface Mutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: CompiledExpression;
}

/** A compiled policy binding. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly match: MatchResources;
  readonly paramRef: ParamRef | undefined;
  readonly actions: readonly string[];
}

export interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: LabelSelectorObject | undefined;
  readonly deniesWhenMissing: boolean;
}

export function validatingPolicyOf(object: Frozen<KubeObject>): ValidatingPolicy {
  const spec = fieldsOf(object['spec']);
  const { policy, full, plain } = compilePolicy(object, spec);
  return {
    ...policy,
    validations: itemsOf(spec['validations']).map((validation) => ({
      expression: tryCompile(textOf(validation['expression']), 'condition', full),
      message: textOf(validation['message']).trim(),
      messageExpression:
        textOf(validation['messageExpression']) === ''
          ? undefined
          : tryCompile(textOf(validation['messageExpression']), 'message', plain),
      reason: textOf(validation['reason']) || 'Invalid',
    })),
    auditAnnotations: itemsOf(spec['auditAnnotations']).map((annotation) =>
      tryCompile(textOf(annotation['valueExpression']), 'auditAnnotation', full),
    ),
  };
}

export function mutatingPolicyOf(object: Frozen<KubeObject>): MutatingPolicy {
  const spec = fieldsOf(object['spec']);
  const { policy, full } = compilePolicy(object, spec);
  return {
    ...policy,
    mutations: itemsOf(spec['mutations']).map((mutation) => compileMutation(mutation, full)),
    reinvoked: spec['reinvocationPolicy'] === 'IfNeeded',
  };
}

function compileMutation(mutation: Fields, options: EnvironmentOptions): Mutation {
  if (mutation['patchType'] === 'JSONPatch') {
    const text = textOf(fieldsOf(mutation['jsonPatch'])['expression']);
    return { type: 'JSONPatch', expression: tryCompile(text, 'jsonPatch', options) };
  }
  const text = textOf(fieldsOf(mutation['applyConfiguration'])['expression']);
  return { type: 'ApplyConfiguration', expression: tryCompile(text, 'applyConfiguration', options) };
}

interface Compilation {
  readonly policy: Policy;
  /** Variables of all expressions except message expressions. */
  readonly full: EnvironmentOptions;
  /** Variables of message expressions, which may not use the authorizer. */
  readonly plain: EnvironmentOptions;
}

function compilePolicy(object: Frozen<KubeObject>, spec: Fields): Compilation {
  const paramKind = isFields(spec['paramKind'])
    ? { apiVersion: textOf(spec['paramKind']['apiVersion']), kind: textOf(spec['paramKind']['kind']) }
    : undefined;
  const base = { params: paramKind !== undefined, authorizer: true };
  const { compiled, types } = compileVariables(spec['variables'], base);
  const full = { ...base, variables: types };
  const match = fieldsOf(spec['matchConstraints']);
  return {
    policy: {
      name: object.metadata.name ?? '',
      match: compileMatch(match, match['resourceRules'], match['excludeResourceRules']),
      ignoresFailure: spec['failurePolicy'] === 'Ignore',
      paramKind,
      conditions: compileConditions(spec['matchConditions'], base),
      variables: compiled,
    },
    full,
    plain: { ...full, authorizer: false },
  };
}

/**
 * Compiles the variables of a policy. A variable may use earlier ones. One that does not compile has type dyn and fails on use.
 */
function compileVariables(
  variables: unknown,
  base: EnvironmentOptions,
): { readonly compiled: ReadonlyMap<string, CompiledExpression>; readonly types: ReadonlyMap<string, CelType> } {
  const compiled = new Map<string, CompiledExpression>();
  const types = new Map<string, CelType>();
  for (const variable of itemsOf(variables)) {
    const name = textOf(variable['name']);
    const result = tryCompile(textOf(variable['expression']), 'variable', { ...base, variables: new Map(types) });
    compiled.set(name, result);
    types.set(name, result.expression?.resultType ?? celDyn);
  }
  return { compiled, types };
}

export function bindingOf(object: Frozen<KubeObject>): Binding {
  const spec = fieldsOf(object['spec']);
  const match = fieldsOf(spec['matchResources']);
  const reference = spec['paramRef'];
  return {
    name: object.metadata.name ?? '',
    policyName: textOf(spec['policyName']),
    match: compileMatch(match, match['resourceRules'], match['excludeResourceRules']),
    paramRef: isFields(reference) ? paramRefOf(reference) : undefined,
    actions: textsOf(spec['validationActions']),
  };
}

function paramRefOf(reference: Fields): ParamRef {
  return {
    name: textOf(reference['name']),
    namespace: textOf(reference['namespace']),
    selector: isFields(reference['selector']) ? (reference['selector'] as LabelSelectorObject) : undefined,
    deniesWhenMissing: reference['parameterNotFoundAction'] === 'Deny',
  };
}
