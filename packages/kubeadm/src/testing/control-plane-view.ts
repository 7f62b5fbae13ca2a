import type { Machine } from '@slipway/cluster-api';
import type { KubeadmControlPlane } from '../api/index.js';
import type { ControlPlaneView, MachineView } from '../control-plane/control-plane.js';
import type { EtcdMember } from '../etcd/index.js';
import { clusterFixture, controlPlaneFixture } from './control-plane-objects.js';

export const viewTime = Date.UTC(2026, 5, 1);

export interface ViewOptions extends Partial<Pick<ControlPlaneView, 'cluster' | 'etcd' | 'nowMs'>> {
  readonly controlPlane?: KubeadmControlPlane;
  /** Names of machines that are outdated. */
  readonly outdated?: readonly string[];
  readonly leader?: string;
  /** Unreachable Nodes. */
  readonly silent?: readonly string[];
}

export function memberFixture(name: string, change: Partial<EtcdMember> = {}): EtcdMember {
  return { id: `id-${name}`, name, isLearner: false, alarms: [], ...change };
}

/** A control plane with these machines and an etcd member for each Node. The first one is the leader. */
export function viewOf(machines: readonly Machine[], options: ViewOptions = {}): ControlPlaneView {
  const {
    controlPlane = controlPlaneFixture({ replicas: machines.length }),
    outdated = [],
    nowMs = viewTime,
  } = options;
  const views = machines.map((machine): MachineView => {
    const isOutdated = outdated.includes(machine.metadata.name ?? '');
    return { machine, config: undefined, infrastructure: undefined, outdated: isOutdated ? ['outdated'] : [] };
  });
  const nodes = machines.flatMap(({ status }) => (status?.nodeRef === undefined ? [] : [status.nodeRef.name]));
  const members = nodes.map((name) => memberFixture(name));
  const etcd = 'etcd' in options ? options.etcd : { members, leader: options.leader ?? nodes[0] };
  const silentNodes = new Set(options.silent);
  return { controlPlane, cluster: options.cluster ?? clusterFixture(), machines: views, etcd, silentNodes, nowMs };
}
