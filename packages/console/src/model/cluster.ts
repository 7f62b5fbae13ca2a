import type { FleetRow } from './fleet.js';
import type { GraphView } from './graph.js';
import type { TimelineView } from './timeline.js';
import type { WhyView } from './why.js';

/** Identifies an object without its API version. */
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

/** A node in the tree of `slipway describe cluster`. */
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
  /** The name of the owning control plane, MachineDeployment or MachinePool. */
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
  /** Name of the Secret that contains the certificate, for example `demo-ca`, or of the machine that has it. */
  readonly name: string;
  readonly what: string;
  /** Expiration in milliseconds since the epoch; 0 if the certificate does not expire or the time is unknown. */
  readonly endsAt: number;
  /** Text that is shown instead of the expiration, for example that the Secret cannot be read. */
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
  /** The verb of the write, or the name of an external call. */
  readonly action: string;
  readonly reason: string;
  readonly message: string;
  readonly failed: boolean;
}

/** An object that can be scaled. */
export interface ScalableView {
  readonly ref: Ref;
  readonly replicas: number;
  readonly version: string;
  /** Whether the topology of the Cluster manages the object. If so, the replicas must be changed in the Cluster. */
  readonly managed: boolean;
  readonly paused: boolean;
}

/** The data of the page of one cluster. Collections are objects with keys instead of lists, so that differences are small. */
export interface ClusterView {
  readonly summary: FleetRow;
  /** The explanation of an unhealthy cluster. Absent while the cluster is healthy. */
  readonly why?: WhyView;
  readonly tree: TreeItem;
  readonly graph: GraphView;
  readonly machines: Readonly<Record<string, MachineView>>;
  readonly certificates: Readonly<Record<string, CertificateView>>;
  readonly events: Readonly<Record<string, EventView>>;
  /** The changes made by controllers. Absent if the controllers run in another process. */
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
