import type { ObservedMachine } from '@slipway/cluster-api';
import type { Node, Pod } from '@slipway/runtime';
import type { ControlPlaneWorkload } from '../src/index.js';
import type { ControlPlaneObservation, PodObservation } from '../src/workload/index.js';
import type { EtcdMember } from '../src/etcd/index.js';

const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'];

interface SimulatedNode {
  readonly node: Node;
  readonly id: string;
  isMember: boolean;
  isHealthy: boolean;
}

/** Simulates a cluster of healthy control plane nodes unless configured otherwise, and records all calls. */
export class SimulatedWorkload implements ControlPlaneWorkload {
  readonly nodes = new Map<string, SimulatedNode>();
  readonly calls: string[] = [];
  readonly expiresAt = Date.UTC(2030, 0, 1);
  leader: string | undefined;
  #ids = 0;

  join(name: string, created: string): void {
    this.#ids += 1;
    this.nodes.set(name, { node: nodeOf(name, created), id: String(this.#ids), isMember: true, isHealthy: true });
    this.leader ??= name;
  }

  leave(name: string): void {
    this.nodes.delete(name);
  }

  hasKubeadmConfig(): Promise<boolean> {
    return Promise.resolve(this.nodes.size > 0);
  }

  observe(
    _machines: readonly ObservedMachine[],
    { isEtcdManaged }: { readonly isEtcdManaged: boolean },
  ): Promise<ControlPlaneObservation> {
    const names = [...this.nodes.keys()];
    const pods = new Map<string, PodObservation>();
    for (const [name, { isHealthy }] of this.nodes)
      for (const component of components) pods.set(`${component}-${name}`, { pod: podOf(component, name, isHealthy) });
    const members = [...this.nodes.values()]
      .filter(({ isMember }) => isMember)
      .map(({ node, id }): EtcdMember => ({ id, name: node.metadata.name ?? '', isLearner: false, alarms: [] }));
    return Promise.resolve({
      nodes: new Map(names.map((name) => [name, (this.nodes.get(name) as SimulatedNode).node])),
      labelledNodes: names,
      pods,
      ...(isEtcdManaged && { etcd: { state: { members, leader: this.leader } } }),
    });
  }

  ensurePermissions(): Promise<void> {
    return this.#note('ensurePermissions');
  }

  updateKubeadmConfig(controlPlane: { readonly spec: { readonly version: string } }): Promise<void> {
    return this.#note(`updateKubeadmConfig ${controlPlane.spec.version}`);
  }

  updateKubeProxy(controlPlane: { readonly spec: { readonly version: string } }): Promise<void> {
    return this.#note(`updateKubeProxy ${controlPlane.spec.version}`);
  }

  updateCoreDns(): Promise<void> {
    return this.#note('updateCoreDns');
  }

  removeEtcdMember({ name }: Pick<EtcdMember, 'id' | 'name'>): Promise<void> {
    const found = this.nodes.get(name);
    if (found !== undefined) found.isMember = false;
    return this.#note(`removeEtcdMember ${name}`);
  }

  forwardEtcdLeadership(from: string, to: string): Promise<void> {
    this.leader = to;
    return this.#note(`forwardEtcdLeadership ${from} ${to}`);
  }

  apiServerCertificateExpiry(nodeName: string, port: number): Promise<number> {
    return this.#note(`apiServerCertificateExpiry ${nodeName}:${port}`).then(() => this.expiresAt);
  }

  #note(call: string): Promise<void> {
    this.calls.push(call);
    return Promise.resolve();
  }
}

function nodeOf(name: string, created: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, creationTimestamp: created, labels: { 'node-role.kubernetes.io/control-plane': '' } },
    spec: {
      providerID: `test://${name}`,
      taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  } as Node;
}

function podOf(component: string, node: string, isHealthy: boolean): Pod {
  const status = isHealthy ? 'True' : 'False';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${component}-${node}`, namespace: 'kube-system' },
    spec: { nodeName: node, containers: [{ name: component, image: component }] },
    status: {
      phase: 'Running',
      conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
        type,
        status: type === 'Ready' || type === 'ContainersReady' ? status : 'True',
      })),
    },
  } as Pod;
}
