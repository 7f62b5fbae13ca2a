import { deepEqual, type JsonValue } from '@slipway/kube';
import { fieldManagers } from '../api/index.js';
import type { MachineSetIntent, ObservedMachineSet } from './rollout-plan.js';

/** Where the set is not yet as intended, replicas aside; empty when applying the intent would change nothing. */
export function differingFields(set: ObservedMachineSet, intent: MachineSetIntent): string[] {
  const fields: string[] = [];
  for (const field of ['labels', 'annotations'] as const)
    if (mapDiffers(set, field, intent.metadata[field])) fields.push(`metadata.${field}`);
  if (!hasOwner(set, intent)) fields.push('metadata.ownerReferences');
  for (const field of ['selector', 'deletion', 'machineNaming'] as const)
    if (!deepEqual(set.spec[field], intent.spec[field])) fields.push(`spec.${field}`);
  const { metadata = {}, spec } = set.spec.template;
  if (!deepEqual(metadata, intent.spec.template.metadata)) fields.push('spec.template.metadata');
  if (!deepEqual(spec, intent.spec.template.spec)) fields.push('spec.template.spec');
  return fields;
}

/** Others may add keys of their own; only those that we set, now or before, count. */
function mapDiffers(
  set: ObservedMachineSet,
  field: 'labels' | 'annotations',
  intended: Readonly<Record<string, string>>,
): boolean {
  const current = set.metadata[field] ?? {};
  const missing = Object.keys(intended).some((key) => !Object.hasOwn(current, key) || current[key] !== intended[key]);
  return missing || keysOwnedBefore(set, field).some((key) => !Object.hasOwn(intended, key));
}

function keysOwnedBefore(set: ObservedMachineSet, field: 'labels' | 'annotations'): string[] {
  const entry = set.metadata.managedFields?.find(({ manager }) => manager === fieldManagers.machineDeployment);
  const owned = keyOf(keyOf(entry?.fieldsV1, 'f:metadata'), `f:${field}`);
  return isObject(owned)
    ? Object.keys(owned)
        .filter((key) => key.startsWith('f:'))
        .map((key) => key.slice(2))
    : [];
}

function keyOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOwner(set: ObservedMachineSet, intent: MachineSetIntent): boolean {
  return intent.metadata.ownerReferences.every(({ uid, controller }) =>
    set.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === controller),
  );
}
