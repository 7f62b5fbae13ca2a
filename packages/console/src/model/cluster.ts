import type { FleetRow } from './fleet.js';
import type { GraphView } from './graph.js';
import type { TimelineView } from './timeline.js';
import type { WhyView } from './why.js';

/** Names an object without its version. */
export interface Ref {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export type Tone = 'good' | 'wait' | 'bad' | 'off';

export interface ConditionView {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly tone: Tone;
}

/** A place in the tree of a cluster, as `slipway describe cluster` draws it. */
export interface TreeItem {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly heading?: true;
  readonly group?: readonly string[];
  readonly version?: string;
  readonly deleting?: true;
  readonly counters: {
    readonly replicas?: string;
    readonly available?: number;
    readonly ready?: number;
    readonly upToDate?: number;
  };
  readonly condition?: ConditionView;
  readonly conditions?: readonly ConditionView[];
  readonly children: readonly TreeItem[];
}

export interface MachineView {
  readonly name: string;
  /** Whom it belongs to: its control plane, deployment or pool. */
  readonly owner: string;
  readonly isControlPlane: boolean;
  readonly version: string;
  readonly phase: string;
  readonly tone: Tone;
  readonly node: string;
  readonly addresses: readonly string[];
  readonly failureDomain: string;
  readonly createdAt: number;
}

export interface CertificateView {
  /** `demo-ca`, or the machine whose certificates these are. */
  readonly name: string;
  readonly what: string;
  /** Milliseconds; 0 where it does not end, or is not known. */
  readonly endsAt: number;
  /** What is to be said instead: that it may not be read. */
  readonly note: string;
}

export interface EventView {
  readonly about: Ref;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly at: number;
  readonly count: number;
}

/** A change that a controller made or tried to make. */
export interface ChangeView {
  readonly about: Ref;
  readonly at: number;
  readonly controller: string;
  /** The verb, or what a call did. */
  readonly action: string;
  readonly reason: string;
  readonly message: string;
  readonly failed: boolean;
}

/** Something whose number of machines can be changed. */
export interface ScalableView {
  readonly ref: Ref;
  readonly replicas: number;
  readonly version: string;
  /** Kept by the topology of the cluster: it is changed there. */
  readonly managed: boolean;
  readonly paused: boolean;
}

/** All that the page of one cluster shows. Collections are kept by key, so that a difference is small. */
export interface ClusterView {
  readonly summary: FleetRow;
  /** Absent while all is well. */
  readonly why?: WhyView;
  readonly tree: TreeItem;
  readonly graph: GraphView;
  readonly machines: Readonly<Record<string, MachineView>>;
  readonly certificates: Readonly<Record<string, CertificateView>>;
  readonly events: Readonly<Record<string, EventView>>;
  /** Absent where the controllers do not run in the process of the console. */
  readonly changes?: Readonly<Record<string, ChangeView>>;
  readonly scalables: Readonly<Record<string, ScalableView>>;
  readonly timeline: TimelineView;
  readonly hasKubeconfig: boolean;
}

export function refKey({ group, kind, namespace, name }: Ref): string {
  return [kind, group, namespace, name].join('|');
}

export function parseRefKey(key: string): Ref | undefined {
  const [kind, group, namespace, name, ...rest] = key.split('|');
  if (kind === undefined || group === undefined || namespace === undefined || name === undefined || rest.length > 0)
    return undefined;
  return { kind, group, namespace, name };
}
