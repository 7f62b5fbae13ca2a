import type { Ref, Tone } from './cluster.js';

/** The role of a node, which determines its column. */
export type GraphRole = 'cluster' | 'part' | 'set' | 'machine' | 'template';

/** The objects in the node of a Machine: its infrastructure, its bootstrap config and its bootstrap data. */
export const nodeParts = ['infra', 'boot', 'data'] as const;

export interface GraphObject {
  readonly ref: Ref;
  readonly tone: Tone;
  readonly text: string;
}

export interface GraphNode extends GraphObject {
  readonly role: GraphRole;
  /** The key of the parent node; '' for a root. */
  readonly parent: string;
  /** Further objects that are drawn in this node: the parts of a Machine, or the Secrets of an owner. */
  readonly parts?: Readonly<Record<string, GraphObject>>;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'controls' | 'owns' | 'refers';
}

export interface GraphView {
  readonly nodes: Readonly<Record<string, GraphNode>>;
  readonly edges: Readonly<Record<string, GraphEdge>>;
}
