import { asJson, generateName, type KubeObject, parseApiVersion, type RandomSource } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';
import { specVersionOf } from '../control-plane-fields.js';
import { type FieldPath, fieldAt } from '../json-fields.js';
import type { ObservedObject } from '../topology-state.js';
import { keyText, type TopologyWriter } from './topology-writer.js';

/** Creates or updates an object that is no template. True when it was created. */
export async function applyObject(
  writer: TopologyWriter,
  current: ObservedObject | undefined,
  desired: KubeObject,
  options: { readonly ignored?: readonly FieldPath[]; readonly isVersioned?: boolean } = {},
): Promise<boolean> {
  if (current === undefined) {
    await writer.create(desired, options.ignored);
    writer.tell('TopologyCreate', `Created ${desired.kind} "${keyText(desired)}"`);
    return true;
  }
  checkSameKind(current, desired, { nameToo: true });
  const { isChanged } = await writer.compare(current, desired, options.ignored);
  if (!isChanged) return false;
  await writer.patch(current, desired, options.ignored);
  const change = options.isVersioned === true ? versionChange(specVersionOf(current), specVersionOf(desired)) : '';
  writer.tell('TopologyUpdate', `Updated ${desired.kind} "${keyText(desired)}"${change}`);
  return false;
}

export function versionChange(from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined || from === '' || to === '' || from === to) return '';
  return ` with version change from ${from} to ${to}`;
}

export interface RotationOptions {
  /** What a new name begins with. */
  readonly prefix: string;
  /** A bootstrap template may become one of another kind; others may not. */
  readonly kindMayChange?: boolean;
}

/**
 * Creates a template, or brings an existing one up to date: what its machines are made from never changes, so a changed spec
 * makes another template under a new name, which `desired` then has. True when one was created.
 */
export async function applyTemplate(
  writer: TopologyWriter,
  current: ObservedObject | undefined,
  desired: KubeObject,
  options: RotationOptions,
  random: RandomSource,
): Promise<boolean> {
  if (current === undefined) {
    await writer.create(desired);
    writer.tell('TopologyCreate', `Created ${desired.kind} "${keyText(desired)}"`);
    return true;
  }
  const isOtherKind = current.kind !== desired.kind || groupOf(current) !== groupOf(desired);
  if (isOtherKind && options.kindMayChange !== true) checkSameKind(current, desired, { nameToo: false });
  const difference = isOtherKind ? { isChanged: true, isSpecChanged: true } : await writer.compare(current, desired);
  if (!difference.isChanged) return false;
  if (!difference.isSpecChanged) {
    await writer.patch(current, desired);
    writer.tell('TopologyUpdate', `Updated ${desired.kind} "${keyText(desired)}" (metadata changes)`);
    return false;
  }
  const replaced = current.metadata.name ?? '';
  desired.metadata.name = generateName(options.prefix, random);
  await writer.create(desired);
  const message = `Created ${desired.kind} "${keyText(desired)}" as a replacement for "${replaced}" (template rotation)`;
  writer.tell('TopologyCreate', message);
  return true;
}

function checkSameKind(current: ObservedObject, desired: KubeObject, { nameToo }: { readonly nameToo: boolean }): void {
  const isSame = current.kind === desired.kind && groupOf(current) === groupOf(desired);
  if (isSame && (!nameToo || current.metadata.name === desired.metadata.name)) return;
  throw new ReconcileError(
    'IncompatibleClass',
    `${current.kind}.${groupOf(current)} "${keyText(current)}" cannot become ${desired.kind}.${groupOf(desired)}`,
    { retry: 'onChange', remedy: 'use a ClusterClass whose templates are of the same kinds' },
  );
}

function groupOf({ apiVersion }: Pick<KubeObject, 'apiVersion'>): string {
  return parseApiVersion(apiVersion).group;
}

/**
 * An endpoint that the template leaves empty is the provider's to fill in: applying its zero values would take it back each
 * time.
 */
export function emptyEndpointFields(object: KubeObject): readonly FieldPath[] {
  const json = asJson(object);
  const host = ['spec', 'controlPlaneEndpoint', 'host'];
  const port = ['spec', 'controlPlaneEndpoint', 'port'];
  const parts = [...(fieldAt(json, host) === '' ? [host] : []), ...(fieldAt(json, port) === 0 ? [port] : [])];
  return parts.length === 2 ? [['spec', 'controlPlaneEndpoint']] : parts;
}
