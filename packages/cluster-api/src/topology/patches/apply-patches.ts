import {
  applyJsonPatch,
  applyMergePatch,
  cloneJson,
  decodeJsonPatch,
  decodeMergePatch,
  type JsonObject,
  type JsonPatchOperation,
  type JsonValue,
  type MutableJsonObject,
  parseJsonValue,
} from '@slipway/kube';
import { ReconcileError, type ReconcileContext } from '@slipway/runtime';
import type { VariableValue } from '../../variables/index.js';
import type { Blueprint, DesiredState, ObservedClass, ObservedCluster } from '../topology-state.js';
import { builtinName, clusterBuiltins } from './builtin-variables.js';
import { type ClassPatch, inlineOperations } from './inline-patches.js';
import { type PatchItem, patchItems, takeOverPatched, takeOverTemplate } from './patch-items.js';
import type { Variables } from './variable-path.js';

/** Applies the patches of the ClusterClass to the desired objects, in place. */
export type ApplyPatches = (
  context: ReconcileContext,
  blueprint: Blueprint,
  cluster: ObservedCluster,
  desired: DesiredState,
) => Promise<void>;

/** Variables as extensions receive them: a list that includes `builtin`. */
interface NamedVariable {
  readonly name: string;
  readonly value: JsonValue;
}

export interface PatchRequest {
  readonly variables: readonly NamedVariable[];
  readonly items: readonly {
    readonly uid: string;
    readonly holderReference: PatchItem['holder'];
    readonly object: JsonObject;
    readonly variables: readonly NamedVariable[];
  }[];
}

export interface PatchAnswer {
  readonly uid: string;
  readonly patchType: string;
  /** The patch as JSON, encoded in base64. */
  readonly patch: string;
}

/** The extensions that patch and validate the objects of a topology. */
export interface PatchExtensions {
  generate(
    context: ReconcileContext,
    cluster: ObservedCluster,
    patch: ClassPatch,
    request: PatchRequest,
  ): Promise<readonly PatchAnswer[]>;
  validate(
    context: ReconcileContext,
    cluster: ObservedCluster,
    patch: ClassPatch,
    request: PatchRequest,
  ): Promise<void>;
}

/** Creates the patch engine. `extensions` is undefined while the RuntimeSDK feature gate is disabled. */
export function createPatchEngine(extensions: PatchExtensions | undefined): ApplyPatches {
  return async (context, blueprint, cluster, desired) => {
    const patches = blueprint.clusterClass.spec.patches ?? [];
    if (patches.length === 0) return;
    const items = patchItems(blueprint, cluster, desired, context.random);
    const builtins = clusterBuiltins(cluster, desired);
    for (const patch of patches) {
      const scope = variablesOf(blueprint, patch, builtins);
      if (patch.external?.generatePatchesExtension !== undefined) {
        const request = requestOf(items, scope);
        const answers = await enabled(extensions, patch).generate(context, cluster, patch, request);
        for (const answer of answers) applyAnswer(items, answer, patch);
      } else if ((patch.definitions ?? []).length > 0) applyInline(items, patch, scope);
    }
    for (const patch of patches) {
      if (patch.external?.validateTopologyExtension === undefined) continue;
      const request = requestOf(items, variablesOf(blueprint, patch, builtins));
      await enabled(extensions, patch).validate(context, cluster, patch, request);
    }
    for (const item of items) takeOverTemplate(item);
  };
}

function enabled(extensions: PatchExtensions | undefined, { name }: ClassPatch): PatchExtensions {
  if (extensions !== undefined) return extensions;
  throw new ReconcileError(
    'RuntimeSDKDisabled',
    `can not use external patch "${name}" if RuntimeSDK feature flag is disabled`,
    { retry: 'onChange', remedy: 'start with --feature-gates=RuntimeSDK=true' },
  );
}

/** The variables of a patch: those that are defined for it, and the builtin ones. */
interface PatchScope {
  readonly isKnown: (name: string) => boolean;
  readonly variables: readonly VariableValue[];
  readonly builtins: JsonObject;
}

function variablesOf({ clusterClass, topology }: Blueprint, patch: ClassPatch, builtins: JsonObject): PatchScope {
  const known = definedFor(clusterClass, patch.external === undefined ? 'inline' : patch.name);
  const isKnown = (name: string): boolean => known.has(name) && name !== builtinName;
  return { isKnown, variables: (topology.variables ?? []).filter(({ name }) => isKnown(name)), builtins };
}

function definedFor({ status }: ObservedClass, from: string): ReadonlySet<string> {
  const variables = status?.variables ?? [];
  return new Set(
    variables
      .filter(({ definitions }) => definitions.some((definition) => definition.from === from))
      .map(({ name }) => name),
  );
}

function applyInline(items: readonly PatchItem[], patch: ClassPatch, scope: PatchScope): void {
  const problems: string[] = [];
  for (const item of items) {
    try {
      for (const operations of inlineOperations(patch, item, itemVariables(item, scope)))
        applyOperations(item, operations);
    } catch (error) {
      problems.push(`${kindOf(item)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length === 0) return;
  throw patchError(
    patch,
    problems.join('; '),
    'correct the patch in the ClusterClass, or the variables of the Cluster',
  );
}

/** Returns the variables of a template. Overrides replace the values of the cluster, builtin variables are merged. */
function itemVariables({ overrides, builtins }: PatchItem, scope: PatchScope): Variables {
  const all = new Map<string, JsonValue>(scope.variables.map(({ name, value }) => [name, value]));
  for (const { name, value } of overrides) if (scope.isKnown(name)) all.set(name, value);
  all.set(builtinName, { ...scope.builtins, ...builtins });
  return all;
}

function applyOperations({ template }: PatchItem, operations: readonly JsonPatchOperation[]): void {
  if (operations.length === 0) return;
  const patched = applyJsonPatch(cloneJson(template), operations);
  if (typeof patched !== 'object' || patched === null || Array.isArray(patched))
    throw new Error('the patch result is not an object');
  takeOverPatched(template, patched);
}

function requestOf(items: readonly PatchItem[], { variables, builtins, isKnown }: PatchScope): PatchRequest {
  return {
    variables: [...variables, { name: builtinName, value: builtins }],
    items: items.map((item) => ({
      uid: item.uid,
      holderReference: item.holder,
      object: cloneJson(item.template),
      variables: [
        ...item.overrides.filter(({ name }) => isKnown(name)),
        ...(Object.keys(item.builtins).length === 0 ? [] : [{ name: builtinName, value: item.builtins }]),
      ],
    })),
  };
}

function applyAnswer(
  items: readonly PatchItem[],
  { uid, patchType, patch: encoded }: PatchAnswer,
  patch: ClassPatch,
): void {
  const item = items.find((candidate) => candidate.uid === uid);
  if (item === undefined) throw patchError(patch, 'unable to find corresponding request item for patch', askAuthor);
  try {
    const body = parseJsonValue(Buffer.from(encoded, 'base64').toString('utf8'));
    if (patchType === 'JSONPatch') applyOperations(item, decodeJsonPatch(body));
    else if (patchType === 'JSONMergePatch') {
      const patched = applyMergePatch(cloneJson(item.template), decodeMergePatch(body));
      takeOverPatched(item.template, patched as MutableJsonObject);
    } else throw new Error(`unknown patch type "${patchType}"`);
  } catch (error) {
    throw patchError(patch, `${kindOf(item)}: ${error instanceof Error ? error.message : String(error)}`, askAuthor);
  }
}

const askAuthor = 'contact the maintainer of the extension';

function kindOf({ template }: PatchItem): string {
  return `failed to apply to ${template['kind'] as string}`;
}

function patchError({ name }: ClassPatch, message: string, remedy: string): ReconcileError {
  return new ReconcileError('PatchFailed', `failed to apply patch "${name}": ${message}`, {
    retry: 'onChange',
    remedy,
  });
}
