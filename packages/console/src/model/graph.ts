import type { Ref, Tone } from './cluster.js';

/** Where an object stands in the picture. */
export type GraphRole = 'cluster' | 'part' | 'set' | 'machine' | 'template';

/** The objects that make one node: the machine itself, its infrastructure, its bootstrap config and the data made from it. */
export type NodePart = 'machine' | 'infrastructure' | 'bootstrap' | 'data';

export interface GraphObject {
  readonly ref: Ref;
  readonly tone: Tone;
  readonly text: string;
}

export interface GraphNode extends GraphObject {
  readonly role: GraphRole;
  /** The key of the object under which it stands. */
  readonly parent: string;
  /** Of a machine: the other objects of its node. */
  readonly parts?: Readonly<Partial<Record<NodePart, GraphObject>>>;
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
