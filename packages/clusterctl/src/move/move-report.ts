import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { type Client, namespaces, type RequestOptions } from '@slipway/runtime';
import type { MoveProblem } from './checks.js';
import type { MoveGraph, MoveNode } from './graph.js';

export interface MoveReport {
  readonly moved: readonly string[];
  /** Objects that were copied but kept in the source, because other objects use them. */
  readonly kept: readonly string[];
  /** Cluster API objects of the namespace that no moved object references. */
  readonly left: readonly string[];
  readonly problems: readonly MoveProblem[];
}

/** Returns an object as text: `Cluster default/a`. */
export function textOf(item: {
  readonly namespace: string;
  readonly name: string;
  readonly kind?: string;
  readonly object?: Frozen<KubeObject>;
}): string {
  const kind = item.kind ?? item.object?.kind ?? '';
  return `${kind} ${item.namespace === '' ? '' : `${item.namespace}/`}${item.name}`;
}

export function reportOf({ levels, left }: MoveGraph): Omit<MoveReport, 'problems'> {
  const nodes = levels.flat();
  const isCopied = ({ isGlobal, stays }: MoveNode): boolean => isGlobal || stays;
  return {
    moved: nodes.filter((node) => !isCopied(node)).map(textOf),
    kept: nodes.filter(isCopied).map(textOf),
    left: left.map(({ object }) => `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`),
  };
}

export function describeProblems(problems: readonly MoveProblem[]): string {
  return `the preflight checks failed and the move was not started:\n${problems.map(({ check, message }) => `  ${message} (check ${check})`).join('\n')}`;
}

/** Creates the namespaces that must exist in the target. */
export async function ensureNamespaces(client: Client, { levels }: MoveGraph, request: RequestOptions): Promise<void> {
  const names = new Set(levels.flat().map(({ namespace }) => namespace));
  names.delete('');
  for (const name of names) {
    try {
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, request);
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }
}
