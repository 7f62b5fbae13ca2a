import { type JsonPatchOperation, type JsonValue, parseYamlValue } from '@slipway/kube';
import { renderTextTemplate, sprigFunctions } from '../../text-template/index.js';
import { controlPlaneFields } from '../control-plane-fields.js';
import type { ObservedClass } from '../topology-state.js';
import type { PatchItem } from './patch-items.js';
import { variableAt, type Variables } from './variable-path.js';

export type ClassPatch = NonNullable<ObservedClass['spec']['patches']>[number];
type Definition = NonNullable<ClassPatch['definitions']>[number];
type Operation = Definition['jsonPatches'][number];

/** Returns the operations of a patch for a template. Empty if the patch does not match the template or is disabled. */
export function inlineOperations(
  patch: ClassPatch,
  item: PatchItem,
  variables: Variables,
): readonly JsonPatchOperation[][] {
  const definitions = (patch.definitions ?? []).filter(({ selector }) => matches(selector, item));
  if (definitions.length === 0 || !isEnabled(patch.enabledIf, variables)) return [];
  return definitions.map(({ jsonPatches }) => jsonPatches.map((operation) => operationOf(operation, variables)));
}

const workerFields = ['spec.template.spec.bootstrap.configRef', 'spec.template.spec.infrastructureRef'];
const controlPlaneHolders = Object.values(controlPlaneFields).map(({ infrastructureRef }) =>
  infrastructureRef.join('.'),
);

function matches({ apiVersion, kind, matchResources }: Definition['selector'], item: PatchItem): boolean {
  const { holder, template } = item;
  if (template['apiVersion'] !== apiVersion || template['kind'] !== kind) return false;
  const { infrastructureCluster, controlPlane, machineDeploymentClass, machinePoolClass } = matchResources;
  const isOfCluster = holder.kind === 'Cluster';
  if (infrastructureCluster === true && isOfCluster && holder.fieldPath === 'spec.infrastructureRef') return true;
  if (controlPlane === true) {
    if (isOfCluster && holder.fieldPath === 'spec.controlPlaneRef') return true;
    if (controlPlaneHolders.includes(holder.fieldPath)) return true;
  }
  const ofWorkers = (holderKind: string, part: string, names: readonly string[] = []): boolean =>
    holder.kind === holderKind &&
    workerFields.includes(holder.fieldPath) &&
    names.some((pattern) => matchesName(pattern, classOf(item, part)));
  return (
    ofWorkers('MachineDeployment', 'machineDeployment', machineDeploymentClass?.names) ||
    ofWorkers('MachinePool', 'machinePool', machinePoolClass?.names)
  );
}

function classOf({ builtins }: PatchItem, part: string): string {
  const worker = builtins[part] as { readonly class?: string } | undefined;
  return worker?.class ?? '';
}

/** Returns whether a name matches a pattern: `*`, `prefix*`, `*suffix`, or the name itself. */
function matchesName(pattern: string, name: string): boolean {
  if (pattern === name || pattern === '*') return true;
  if (pattern.startsWith('*') && name.endsWith(pattern.slice(1))) return true;
  return pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1));
}

/** Whether the patch is enabled: enabledIf is unset or renders to `true`. */
function isEnabled(enabledIf: string | undefined, variables: Variables): boolean {
  if (enabledIf === undefined || enabledIf === '') return true;
  return rendered(enabledIf, variables, 'enabledIf') === true;
}

function operationOf({ op, path, value, valueFrom }: Operation, variables: Variables): JsonPatchOperation {
  if (op === 'remove') return { op, path };
  if (value !== undefined && valueFrom !== undefined)
    throw new Error('failed to calculate value: both .value and .valueFrom are set');
  if (value !== undefined) return { op, path, value };
  const { variable, template } = valueFrom ?? {};
  if (variable !== undefined && template !== undefined)
    throw new Error(
      'failed to calculate value: .valueFrom is set, but both .valueFrom.variable and .valueFrom.template are set',
    );
  if (variable !== undefined) return { op, path, value: variableAt(variables, variable) };
  if (template !== undefined) return { op, path, value: rendered(template, variables, 'template') };
  throw new Error('failed to calculate value: neither .value nor .valueFrom are set');
}

/** Renders a template and parses the result as YAML, so that a template can return any type. */
function rendered(template: string, variables: Variables, what: string): JsonValue {
  const text = renderTextTemplate(template, Object.fromEntries(variables), sprigFunctions);
  try {
    return parseYamlValue(text) as JsonValue;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to calculate value for ${what}: the rendered text is not valid YAML: ${cause}`, {
      cause: error,
    });
  }
}
