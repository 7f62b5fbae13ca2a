import { timeOf } from '@slipway/kube';
import { labels, listAt, textAt } from '@slipway/cluster-api';
import { type ObjectSet, type Observed, refOf } from '@slipway/insight';
import { controllerOf } from '@slipway/runtime';
import { type MachineView, refKey, type ScalableView } from '../model/cluster.js';
import { toneOf } from './tones.js';

export function machinesOf(set: ObjectSet, cluster: Observed): Record<string, MachineView> {
  const own = set.ofKind('Machine').filter((machine) => isOf(machine, cluster));
  return Object.fromEntries(own.map((machine) => [machine.metadata.name ?? '', machineView(machine)]));
}

function isOf({ metadata }: Observed, cluster: Observed): boolean {
  return metadata.labels?.[labels.clusterName] === cluster.metadata.name;
}

function machineView(machine: Observed): MachineView {
  const { name = '', creationTimestamp, labels: own = {} } = machine.metadata;
  const addresses = listAt(machine, 'status', 'addresses') as readonly { readonly address?: unknown }[];
  const text = (...path: readonly string[]): string => textAt(machine, ...path) ?? '';
  return {
    name,
    owner: own[labels.deploymentName] ?? controllerOf(machine)?.name ?? '',
    isControlPlane: Object.hasOwn(own, labels.controlPlane),
    version: text('spec', 'version'),
    phase: text('status', 'phase'),
    tone: toneOf(machine),
    node: text('status', 'nodeRef', 'name'),
    addresses: [...new Set(addresses.flatMap(({ address }) => (typeof address === 'string' ? [address] : [])))],
    failureDomain: text('spec', 'failureDomain'),
    createdAt: timeOf(creationTimestamp) ?? 0,
  };
}

const topologyOwned = 'topology.cluster.x-k8s.io/owned';

/** Returns the objects that can be scaled: control planes, MachineDeployments and MachinePools. */
export function scalablesOf(set: ObjectSet, cluster: Observed): Record<string, ScalableView> {
  const found = set.objects.filter(
    (object) =>
      isOf(object, cluster) &&
      (object.kind === 'MachineDeployment' ||
        object.kind === 'MachinePool' ||
        (refOf(object).group.startsWith('controlplane.') && !object.kind.endsWith('Template'))),
  );
  return Object.fromEntries(found.map((object) => [refKey(refOf(object)), scalableView(object)]));
}

function scalableView(object: Observed): ScalableView {
  const { spec = {} } = object as { spec?: { replicas?: number; paused?: boolean } };
  const version = textAt(object, 'spec', 'version') ?? textAt(object, 'spec', 'template', 'spec', 'version') ?? '';
  return {
    ref: refOf(object),
    replicas: spec.replicas ?? 1,
    version,
    managed: Object.hasOwn(object.metadata.labels ?? {}, topologyOwned),
    paused: spec.paused === true || Object.hasOwn(object.metadata.annotations ?? {}, 'cluster.x-k8s.io/paused'),
  };
}
