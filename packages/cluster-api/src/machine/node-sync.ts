import type { Frozen } from '@slipway/kube';
import { controllerOf, edit, type Node } from '@slipway/runtime';
import { labels, nodeAnnotations, nodeLabelDomains } from '../api/index.js';
import { syncTaints } from './node-taints.js';
import type { ObservedMachine } from '../machines/index.js';

type ObservedNode = Frozen<Node>;

export interface NodeSyncInput {
  readonly machine: ObservedMachine;
  readonly node: ObservedNode;
  readonly interruptible: boolean;
  /** The machine is of an older revision of its deployment than the newest. */
  readonly outdated: boolean;
  /** Whether `spec.taints` is to be kept on the Node. */
  readonly propagateTaints: boolean;
  /** Further labels and annotations to sync: `--additional-sync-machine-labels`. */
  readonly additionalLabels?: readonly RegExp[];
  readonly additionalAnnotations?: readonly RegExp[];
}

/**
 * The Node as its machine wants it. Annotations remember what was put there, so that what the machine does not have any
 * more is taken away again, and nothing else.
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
  /** The domain itself. */
  readonly exact: readonly string[];
  /** The domain and all below it. */
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
    if (domains.withSubdomains.some((wanted) => domain === wanted || domain.endsWith(`.${wanted}`))) return true;
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
