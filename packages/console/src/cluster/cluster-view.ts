import type { ClusterClass } from '@slipway/cluster-api';
import { clusterTree, explain, type ObjectSet, type Observed, referenceAt, refOf } from '@slipway/insight';
import type { Frozen } from '@slipway/kube';
import type { ChangeRecord } from '@slipway/runtime';
import { fleetRow } from '../fleet/fleet-row.js';
import { type CertificateView, type ClusterView, type EventView, refKey } from '../model/cluster.js';
import { changesOf } from './changes.js';
import { graphOf } from './graph.js';
import { machinesOf, scalablesOf } from './machines.js';
import { blockedObjects } from './tones.js';
import { timelineLanes } from './timeline-lanes.js';
import { treeItem } from './tree-item.js';

export interface ClusterViewParts {
  readonly set: ObjectSet;
  readonly cluster: Observed;
  /** Earlier states of the cluster's objects. */
  readonly history: readonly Observed[];
  readonly certificates: Readonly<Record<string, CertificateView>>;
  /** Recent changes made by controllers, oldest first. Undefined if the controllers run in another process. */
  readonly changes?: readonly ChangeRecord[] | undefined;
  readonly nowMs: number;
}

/** Up to this number of machines, each is shown separately. Above it, machines in the same state are grouped. */
const machinesApartMax = 24;
const eventsMax = 150;

/** Computes the data of a cluster's page. Pure function. */
export function clusterView({ set, cluster, history, certificates, changes, nowMs }: ClusterViewParts): ClusterView {
  const explanation = explain(set, cluster, nowMs);
  const behind = (path: string): Observed | undefined => {
    const target = referenceAt(cluster, path);
    return target && set.get(target);
  };
  const machines = machinesOf(set, cluster);
  return {
    summary: fleetRow({
      cluster: cluster as never,
      controlPlane: behind('spec.controlPlaneRef'),
      clusterClass: behind('spec.topology.classRef') as Frozen<ClusterClass> | undefined,
      explanation,
    }),
    ...(explanation.verdict !== 'well' && { why: explanation }),
    tree: treeItem(
      clusterTree(set, cluster, {
        showConditions: 'all',
        echo: true,
        grouping: Object.keys(machines).length > machinesApartMax,
      }),
    ),
    graph: graphOf(set, cluster, blockedObjects(explanation)),
    machines,
    certificates,
    events: eventsOf(set),
    ...(changes && { changes: changesOf(set, changes) }),
    scalables: scalablesOf(set, cluster),
    timeline: timelineLanes(set, cluster, history, changes),
    hasKubeconfig:
      set.get({ ...refOf(cluster), group: '', kind: 'Secret', name: `${refOf(cluster).name}-kubeconfig` }) !==
      undefined,
  };
}

/** Returns the Events about objects of this cluster. The namespace may contain other clusters. */
function eventsOf(set: ObjectSet): Record<string, EventView> {
  const own = set.events.filter(({ about }) => set.get(about) !== undefined);
  const newest = own.toSorted((left, right) => right.at - left.at).slice(0, eventsMax);
  return Object.fromEntries(
    newest.map(({ about, type, reason, message, at, firstAt, count }) => [
      `${refKey(about)} ${reason} ${firstAt} ${hash(message)}`,
      { about, type, reason, message, at, count },
    ]),
  );
}

/** Returns a short, deterministic hash. */
function hash(text: string): string {
  let value = 0;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647;
  return value.toString(36);
}
