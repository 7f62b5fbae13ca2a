import type { Ref, Tone } from './cluster.js';

/** Where an object stands in the picture. */
export type GraphRole = 'cluster' | 'part' | 'set' | 'machine' | 'template';

/** The objects that make one node, beside the machine itself: its infrastructure, its bootstrap config, the data made from it. */
export const nodeParts = ['infra', 'boot', 'data'] as const;

export interface GraphObject {
  readonly ref: Ref;
  readonly tone: Tone;
  readonly text: string;
}

export interface GraphNode extends GraphObject {
  readonly role: GraphRole;
  /** The key of the object under which it stands. */
  readonly parent: string;
  /** Objects that stand in its box: those of the node of a machine, and Secrets that something owns. */
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
