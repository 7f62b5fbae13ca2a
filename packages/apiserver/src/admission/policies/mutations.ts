import {
  applyJsonPatch,
  asJson,
  asObject,
  type CelValue,
  cloneJson,
  decodeJsonPatch,
  type Frozen,
  isFields,
  type JsonObject,
  type KubeObject,
  overlayConfiguration,
  PatchError,
  patchTypeProblem,
  toJson,
} from '@slipway/kube';
import type { View } from '../matching/equivalents.js';
import type { Mutation } from './policy.js';
import type { PolicyEvaluation } from './policy-evaluation.js';

/** The result of one mutation: the changed object or an error, or neither if the mutation does not change the object. */
export interface MutationResult {
  readonly object?: KubeObject;
  readonly problem?: string;
}

export function applyMutation(
  mutation: Mutation,
  object: Frozen<KubeObject>,
  view: View,
  evaluation: PolicyEvaluation,
): MutationResult {
  const result = evaluation.run(mutation.expression);
  if (!result.ok) return { problem: result.error };
  return mutation.type === 'JSONPatch'
    ? applyPatch(result.value, object)
    : applyConfiguration(result.value, object, view);
}

function applyConfiguration(value: CelValue, object: Frozen<KubeObject>, view: View): MutationResult {
  const mismatch = patchTypeProblem(value);
  if (mismatch !== undefined) return { problem: `type mismatch: ${mismatch}` };
  const built = toJson(value);
  if (!isFields(built)) return { problem: 'unsupported return type from ApplyConfiguration expression' };
  const config = { ...(built as JsonObject), apiVersion: object.apiVersion, kind: object.kind };
  try {
    return { object: asObject(overlayConfiguration(view.version.schema, asJson(object), config)) };
  } catch (error) {
    return { problem: `error applying patch: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function isSameKind(patched: unknown, object: Frozen<KubeObject>): patched is KubeObject {
  return (
    isFields(patched) &&
    isFields(patched['metadata']) &&
    patched['apiVersion'] === object.apiVersion &&
    patched['kind'] === object.kind
  );
}

function applyPatch(value: CelValue, object: Frozen<KubeObject>): MutationResult {
  const operations = toJson(value);
  if (!Array.isArray(operations))
    return { problem: 'JSONPath valueExpression evaluated to a type that could not marshal to JSON' };
  try {
    const patched = applyJsonPatch(cloneJson(asJson(object)), decodeJsonPatch(operations));
    if (isSameKind(patched, object)) return { object: patched };
    return { problem: `JSONPath: the patched document is not a ${object.kind}` };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // A failed `test` operation skips the whole patch, which is not an error.
    return error.message.endsWith(': test failed') ? {} : { problem: `JSONPath: ${error.message}` };
  }
}
