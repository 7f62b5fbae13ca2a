import type { Frozen } from '@slipway/kube';
import { controllerOf, edit, type Node } from '@slipway/runtime';
import { labels, type Machine, nodeAnnotations, nodeLabelDomains, nodeTaints } from '../api/index.js';
import type { ObservedMachine } from '../machines/index.js';

type ObservedNode = Frozen<Node>;

export interface NodeSyncInput {
  readonly machine: ObservedMachine;
  readonly node: ObservedNode;
  readonly interruptible: boolean;
  /** Whether the machine has an older revision than its MachineDeployment. */
  readonly outdated: boolean;
  /** Whether `spec.taints` is synced to the Node. */
  readonly propagateTaints: boolean;
  /** Patterns of further labels to sync: `--additional-sync-machine-labels`. */
  readonly additionalLabels?: readonly RegExp[];
  readonly additionalAnnotations?: readonly RegExp[];
}

/**
 * Returns the desired Node. Annotations track what was synced, so that only labels, annotations and taints that the machine no
 * longer has are removed.
 */
export function syncNode(input: NodeSyncInput): ObservedNode {
  const { machine, node } = input;
  const bookkeeping = bookkeepingOf(machine);
  const annotations = managedOf(machine.metadata.annotations, annotationDomains, input.additionalAnnotations);
  const ownLabels = managedOf(machine.metadata.labels, labelDomains, input.additionalLabels);
  if (input.interruptible) ownLabels[labels.interruptible] = '';
  return edit(node, (draft) => {
    const before = node.metadata.annotations ?? {};
    const tracked = [...listOf(before[nodeAnnotations.annotationsFromMachine]), ...Object.keys(bookkeepingKeys)];
    draft.metadata.annotations = {
      ...without(before, tracked),
      ...annotations,
      ...bookkeeping,
      [nodeAnnotations.labelsFromMachine]: Object.keys(ownLabels).sort().join(','),
      [nodeAnnotations.annotationsFromMachine]: Object.keys(annotations).sort().join(','),
    };
    draft.metadata.labels = {
      ...without(node.metadata.labels ?? {}, listOf(before[nodeAnnotations.labelsFromMachine])),
      ...ownLabels,
    };
    syncTaints(draft, machine.spec.taints ?? [], input);
  });
}

const bookkeepingKeys: Readonly<Record<string, true>> = {
  [nodeAnnotations.clusterName]: true,
  [nodeAnnotations.clusterNamespace]: true,
  [nodeAnnotations.machine]: true,
  [nodeAnnotations.ownerKind]: true,
  [nodeAnnotations.ownerName]: true,
};

function bookkeepingOf(machine: ObservedMachine): Record<string, string> {
  const owner = controllerOf(machine);
  return {
    [nodeAnnotations.clusterName]: machine.spec.clusterName,
    [nodeAnnotations.clusterNamespace]: machine.metadata.namespace ?? '',
    [nodeAnnotations.machine]: machine.metadata.name ?? '',
    ...(owner && { [nodeAnnotations.ownerKind]: owner.kind, [nodeAnnotations.ownerName]: owner.name }),
  };
}

interface Domains {
  /** Domains that match only themselves. */
  readonly exact: readonly string[];
  /** Domains that match themselves and their subdomains. */
  readonly withSubdomains: readonly string[];
}

const labelDomains: Domains = {
  exact: [nodeLabelDomains.role],
  withSubdomains: [nodeLabelDomains.restriction, nodeLabelDomains.managed],
};
const annotationDomains: Domains = { exact: [], withSubdomains: [nodeLabelDomains.managed] };

function managedOf(
  values: Readonly<Record<string, string>> | undefined,
  domains: Domains,
  additional: readonly RegExp[] = [],
): Record<string, string> {
  const isManaged = (key: string): boolean => {
    const [domain = ''] = key.split('/');
    if (domains.exact.includes(domain)) return true;
    if (domains.withSubdomains.some((desired) => domain === desired || domain.endsWith(`.${desired}`))) return true;
    return additional.some((pattern) => pattern.test(key));
  };
  return Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => isManaged(key)));
}

function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((entry) => entry !== '');
}

function without(values: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  const gone = new Set(keys);
  return Object.fromEntries(Object.entries(values).filter(([key]) => !gone.has(key)));
}

type MachineTaint = NonNullable<Frozen<Machine>['spec']['taints']>[number];
type Identity = { readonly key: string; readonly effect: string };

/** Sets the taints of a draft Node as the machine defines them. Other taints are kept. */
function syncTaints(
  node: Node,
  desired: readonly MachineTaint[],
  options: { readonly outdated: boolean; readonly propagateTaints: boolean },
): void {
  removeTaint(node, nodeTaints.uninitialized);
  if (options.propagateTaints) propagateTaints(node, desired);
  if (options.outdated) setTaint(node, { ...nodeTaints.outdatedRevision });
  else removeTaint(node, nodeTaints.outdatedRevision);
}

function sameTaint(left: Identity, right: Identity): boolean {
  return left.key === right.key && left.effect === right.effect;
}

/**
 * Syncs the taints of the machine spec. `Always` taints are kept in sync. `OnInitialization` taints are added once, while the
 * tracking annotation is missing, and are not managed afterwards.
 */
function propagateTaints(node: Node, desired: readonly MachineTaint[]): void {
  const annotations = node.metadata.annotations ?? {};
  const before = annotations[nodeAnnotations.taintsFromMachine];
  const always = desired.filter(({ propagation }) => propagation === 'Always');
  for (const taint of before === undefined ? desired : always) {
    const { key, value, effect } = taint;
    setTaint(node, { key, ...(value !== undefined && { value }), effect });
  }
  const kept = new Set(desired.map(textOf));
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
