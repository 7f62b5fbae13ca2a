import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { type Client, namespaces, type RequestOptions } from '@slipway/runtime';
import type { MoveProblem } from './checks.js';
import type { MoveGraph, MoveNode } from './graph.js';

export interface MoveReport {
  readonly moved: readonly string[];
  /** Copied, and kept in the source, since others use it. */
  readonly kept: readonly string[];
  /** Of Cluster API and in the namespace, but nothing that moves leads to it. */
  readonly left: readonly string[];
  readonly problems: readonly MoveProblem[];
}

/** `Cluster default/a` */
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
  return `the move was not begun:\n${problems.map(({ check, message }) => `  ${message} (check ${check})`).join('\n')}`;
}

/** An object needs the namespace that it is in. */
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
