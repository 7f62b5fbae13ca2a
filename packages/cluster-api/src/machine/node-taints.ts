import type { Frozen } from '@slipway/kube';
import type { Node } from '@slipway/runtime';
import type { Machine } from '../api/index.js';
import { nodeAnnotations, nodeTaints } from '../api/index.js';

type MachineTaint = NonNullable<Frozen<Machine>['spec']['taints']>[number];
type Identity = { readonly key: string; readonly effect: string };

/** Brings the taints of a drafted Node to what the machine wants; others are left alone. */
export function syncTaints(
  node: Node,
  wanted: readonly MachineTaint[],
  options: { readonly outdated: boolean; readonly propagateTaints: boolean },
): void {
  removeTaint(node, nodeTaints.uninitialized);
  if (options.propagateTaints) propagateTaints(node, wanted);
  if (options.outdated) setTaint(node, { ...nodeTaints.outdatedRevision });
  else removeTaint(node, nodeTaints.outdatedRevision);
}

function sameTaint(left: Identity, right: Identity): boolean {
  return left.key === right.key && left.effect === right.effect;
}

/**
 * `Always` is kept; `OnInitialization` is put there once, as long as the tracking annotation is not there, and then belongs
 * to whoever looks after the Node.
 */
function propagateTaints(node: Node, wanted: readonly MachineTaint[]): void {
  const annotations = node.metadata.annotations ?? {};
  const before = annotations[nodeAnnotations.taintsFromMachine];
  const always = wanted.filter(({ propagation }) => propagation === 'Always');
  for (const taint of before === undefined ? wanted : always) {
    const { key, value, effect } = taint;
    setTaint(node, { key, ...(value !== undefined && { value }), effect });
  }
  const kept = new Set(wanted.map(textOf));
  for (const text of (before ?? '').split(',').filter((entry) => entry !== '' && !kept.has(entry))) {
    const [key = '', effect = ''] = text.split(':');
    removeTaint(node, { key, effect });
  }
  annotations[nodeAnnotations.taintsFromMachine] = always.map(textOf).sort().join(',');
  node.metadata.annotations = annotations;
}

function textOf({ key, effect }: Identity): string {
  return `${key}:${effect}`;
}

function setTaint(node: Node, taint: Identity & { value?: string }): void {
  const taints = node.spec?.taints ?? [];
  const present = taints.find((candidate) => sameTaint(candidate, taint));
  if (present !== undefined && (present.value ?? '') === (taint.value ?? '')) return;
  const others = taints.filter((candidate) => !sameTaint(candidate, taint));
  node.spec = { ...node.spec, taints: [...others, { ...taint }] };
}

function removeTaint(node: Node, taint: Identity): void {
  const taints = node.spec?.taints;
  if (taints?.some((candidate) => sameTaint(candidate, taint)) !== true) return;
  node.spec = { ...node.spec, taints: taints.filter((candidate) => !sameTaint(candidate, taint)) };
}
