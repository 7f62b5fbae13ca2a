import { asJson, type Frozen, generateName, type KubeObject, parseApiVersion, type RandomSource } from '@slipway/kube';
import { isDeleting, ReconcileError } from '@slipway/runtime';
import type { MachineHealthCheck } from '../../api/index.js';
import { specVersionOf } from '../control-plane-fields.js';
import { type FieldPath, fieldAt } from '../json-fields.js';
import type { ObservedObject } from '../topology-state.js';
import { keyText, type TopologyCause, type TopologyWriter } from './topology-writer.js';

/** Creates or updates an object that is not a template. Returns whether it was created. */
export async function applyObject(
  writer: TopologyWriter,
  current: ObservedObject | undefined,
  desired: KubeObject,
  options: { readonly ignored?: readonly FieldPath[]; readonly isVersioned?: boolean } = {},
): Promise<boolean> {
  if (current === undefined) {
    await writer.create(desired, createdCause(desired), options);
    return true;
  }
  checkSameKind(current, desired, { nameToo: true });
  const { isChanged } = await writer.compare(current, desired, options.ignored);
  if (!isChanged) return false;
  const versions = options.isVersioned === true ? { from: specVersionOf(current), to: specVersionOf(desired) } : {};
  await writer.patch(current, desired, updatedCause(desired, versions), options);
  return false;
}

export function createdCause(object: KubeObject): TopologyCause {
  return { reason: 'TopologyCreated', message: `Created ${object.kind} "${keyText(object)}"` };
}

export function updatedCause(
  object: KubeObject,
  { from = '', to = '' }: { readonly from?: string | undefined; readonly to?: string | undefined } = {},
): TopologyCause {
  const message = `Updated ${object.kind} "${keyText(object)}"`;
  if (from === '' || to === '' || from === to) return { reason: 'TopologyChanged', message };
  return { reason: 'VersionChanged', message: `${message} with version change from ${from} to ${to}` };
}

export function removedCause(object: ObservedObject): TopologyCause {
  return { reason: 'RemovedFromTopology', message: `Deleted ${object.kind} "${keyText(object)}"` };
}

/** Creates, updates or deletes a MachineHealthCheck. */
export async function applyHealthCheck(
  writer: TopologyWriter,
  current: Frozen<MachineHealthCheck> | undefined,
  desired: MachineHealthCheck | undefined,
): Promise<void> {
  const [before, after] = [current as Frozen<KubeObject> | undefined, desired as KubeObject | undefined];
  const options = { eventOn: 'object' } as const;
  if (after === undefined) {
    if (before === undefined || isDeleting(before)) return;
    await writer.delete(before, removedCause(before), options);
  } else if (before === undefined) {
    await writer.create(after, createdCause(after), options);
  } else if ((await writer.compare(before, after)).isChanged) {
    await writer.patch(before, after, updatedCause(after), options);
  }
}

export interface RotationOptions {
  /** Prefix of a new name. */
  readonly prefix: string;
  /** Whether the template may be replaced by one of another kind. Only bootstrap templates may. */
  readonly kindMayChange?: boolean;
}

/**
 * Creates or updates a template. The spec of a template is immutable, so a changed spec creates a template under a new name,
 * which is set on `desired`. Returns whether one was created.
 */
export async function applyTemplate(
  writer: TopologyWriter,
  current: ObservedObject | undefined,
  desired: KubeObject,
  options: RotationOptions,
  random: RandomSource,
): Promise<boolean> {
  if (current === undefined) {
    await writer.create(desired, createdCause(desired));
    return true;
  }
  const isOtherKind = current.kind !== desired.kind || groupOf(current) !== groupOf(desired);
  if (isOtherKind && options.kindMayChange !== true) checkSameKind(current, desired, { nameToo: false });
  const difference = isOtherKind ? { isChanged: true, isSpecChanged: true } : await writer.compare(current, desired);
  if (!difference.isChanged) return false;
  if (!difference.isSpecChanged) {
    const message = `Updated ${desired.kind} "${keyText(desired)}" (metadata changes)`;
    await writer.patch(current, desired, { reason: 'MetadataChanged', message });
    return false;
  }
  const replaced = current.metadata.name ?? '';
  desired.metadata.name = generateName(options.prefix, random);
  const message = `Created ${desired.kind} "${keyText(desired)}" as a replacement for "${replaced}" (template rotation)`;
  await writer.create(desired, { reason: 'TemplateRotated', message });
  return true;
}

function checkSameKind(current: ObservedObject, desired: KubeObject, { nameToo }: { readonly nameToo: boolean }): void {
  const isSame = current.kind === desired.kind && groupOf(current) === groupOf(desired);
  if (isSame && (!nameToo || current.metadata.name === desired.metadata.name)) return;
  throw new ReconcileError(
    'IncompatibleClass',
    `${current.kind}.${groupOf(current)} "${keyText(current)}" cannot be changed to ${desired.kind}.${groupOf(desired)}`,
    { retry: 'onChange', remedy: 'use a ClusterClass whose templates have the same kinds' },
  );
}

function groupOf({ apiVersion }: Pick<KubeObject, 'apiVersion'>): string {
  return parseApiVersion(apiVersion).group;
}

/**
 * Returns the endpoint fields to ignore. If the template leaves the endpoint empty, the provider sets it, and applying zero
 * values would reset it every time.
 */
export function emptyEndpointFields(object: KubeObject): readonly FieldPath[] {
  const json = asJson(object);
  const host = ['spec', 'controlPlaneEndpoint', 'host'];
  const port = ['spec', 'controlPlaneEndpoint', 'port'];
  const parts = [...(fieldAt(json, host) === '' ? [host] : []), ...(fieldAt(json, port) === 0 ? [port] : [])];
  return parts.length === 2 ? [['spec', 'controlPlaneEndpoint']] : parts;
}
