import type { Clock } from '@slipway/base';
import {
  type Cluster,
  clusterClasses,
  clusterResourceSets,
  clusters,
  machineHealthChecks,
  textAt,
} from '@slipway/cluster-api';
import { type Explanation, needsExplanation, type Observed, referenceAt, refOf } from '@slipway/insight';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Client, IndexFunction, Informer, InformerFactory, ObjectKey, Resource } from '@slipway/runtime';
import type { ClosableFeed } from '../feeds/feed.js';
import { Subscribers } from '../feeds/subscribers.js';
import type { FleetRow, FleetView } from '../model/fleet.js';
import type { Frame } from '../model/frame.js';
import { Explainer } from './explainer.js';
import { fleetRow } from './fleet-row.js';

export interface FleetFeedOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly clock: Clock;
  /** '' for all namespaces. */
  readonly namespace: string;
}

/** The index functions of all feeds. They must be constants: informers that share a cache must use the same functions. */
const indexes: Readonly<Record<string, IndexFunction<Cluster>>> = {
  controlPlane: (cluster) => keysOf(referenceAt(cluster as Observed, 'spec.controlPlaneRef')),
  class: (cluster) => keysOf(referenceAt(cluster as Observed, 'spec.topology.classRef')),
};

/** Index of MachineHealthChecks by cluster. */
const byCluster: IndexFunction<KubeObject> = (check) => [clusterKeyOf(check)];

/** Interval of the connection check: informers do not report their own failures. */
const checkMs = 2_000;

/** The live view of all clusters as rows. A change recomputes only the row of its cluster. */
export class FleetFeed implements ClosableFeed {
  readonly #clusters: Informer<Cluster>;
  readonly #classes: Informer;
  readonly #healthChecks: Informer;
  readonly #resourceSets: Informer;
  readonly #controlPlanes = new Map<string, Informer | undefined>();
  readonly #rows = new Map<string, FleetRow>();
  readonly #changed = new Set<string>();
  readonly #subscribers: Subscribers;
  readonly #explanations = new Map<string, Explanation>();
  readonly #explainer: Explainer;
  readonly #disposables: { dispose(): void | Promise<void> }[] = [];
  #lost = '';
  #isSynced = false;
  #isExplainingSent = false;
  /** Whether the next frame must be the complete view: nothing was sent yet, or the connection was lost since. */
  #isCompleteViewDue = true;
  #timer: { cancel(): void } | undefined;

  constructor(private readonly options: FleetFeedOptions) {
    const { client, informers, clock, namespace } = options;
    this.#explainer = new Explainer({
      client,
      clock,
      onExplained: (key, found) => this.#explained(key, found),
      onIdle: () => this.#subscribers.scheduleFlush(),
    });
    this.#subscribers = new Subscribers(clock, { first: () => this.#first(), changes: () => this.#changes() });
    const scope = { stripManagedFields: true, ...(namespace !== '' && { namespace }) };
    this.#clusters = informers.informer(clusters, scope);
    this.#classes = informers.informer(clusterClasses as Resource, scope);
    this.#healthChecks = informers.informer(machineHealthChecks as Resource, scope);
    this.#resourceSets = informers.informer(clusterResourceSets as Resource, scope);
    for (const [name, index] of Object.entries(indexes)) this.#clusters.addIndex(name, index);
    const onChange = (cluster: Frozen<Cluster>): void => this.#markChanged(cluster);
    this.#disposables.push(this.#clusters.addHandler({ added: onChange, updated: onChange, deleted: onChange }));
    const onClass = (object: Observed): void => this.#markReferencing('class', object);
    this.#disposables.push(this.#classes.addHandler({ added: onClass, updated: onClass, deleted: onClass }));
    this.#watchReporters();
    void this.#clusters.whenSynced().then(
      () => this.#synced(),
      () => undefined,
    );
    this.#watchConnection();
  }

  /** Watches objects that report problems of a cluster which the conditions of the Cluster do not contain. */
  #watchReporters(): void {
    this.#healthChecks.addIndex('cluster', byCluster);
    const onCheck = (check: Observed): void => {
      const [namespace = '', name = ''] = clusterKeyOf(check).split('/');
      const cluster = this.#clusters.get({ namespace, name });
      if (cluster !== undefined) this.#markChanged(cluster);
    };
    this.#disposables.push(this.#healthChecks.addHandler({ added: onCheck, updated: onCheck, deleted: onCheck }));
    const onSet = (resourceSet: Observed): void => {
      for (const cluster of this.#clusters.list()) {
        const object = cluster as Observed;
        if (object.metadata.namespace !== resourceSet.metadata.namespace) continue;
        if (this.#explanations.has(keyOf(object)) || needsExplanation(object, [resourceSet]))
          this.#markChanged(cluster);
      }
    };
    this.#disposables.push(this.#resourceSets.addHandler({ added: onSet, updated: onSet, deleted: onSet }));
  }

  /** Returns the objects that report problems of a cluster: its control plane, its health checks, and add-ons. */
  #reportersOf(cluster: Observed): readonly Observed[] {
    const { namespace } = refOf(cluster);
    const controlPlane = this.#controlPlaneOf(cluster);
    return [
      ...(controlPlane === undefined ? [] : [controlPlane]),
      ...this.#healthChecks.byIndex('cluster', keyOf(cluster)),
      ...this.#resourceSets.list().filter(({ metadata }) => metadata.namespace === namespace),
    ];
  }

  #controlPlaneOf(cluster: Observed): Observed | undefined {
    const target = referenceAt(cluster, 'spec.controlPlaneRef');
    return target && this.#controlPlanes.get(kindKey(target))?.get(target);
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  open(send: (frame: string) => void): { dispose(): void } {
    return this.#subscribers.add(send);
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#explainer.dispose();
    this.#subscribers.dispose();
    for (const disposable of this.#disposables) void disposable.dispose();
  }

  #synced(): void {
    this.#isSynced = true;
    this.#subscribers.flush();
  }

  /**
   * Checks the connection periodically, so that subscribers learn within seconds when the data is outdated and when it is current
   * again.
   */
  #watchConnection(): void {
    this.#timer = this.options.clock.setTimer(checkMs, () => {
      const error = this.#clusters.status().lastError;
      const lost = error === undefined ? '' : error.message;
      if (lost !== this.#lost) {
        this.#lost = lost;
        this.#subscribers.scheduleFlush();
      }
      this.#watchConnection();
    });
  }

  #first(): Frame | undefined {
    if (this.#lost !== '') return { lost: this.#lost };
    return this.#isSynced ? { whole: this.#whole() } : undefined;
  }

  #whole(): FleetView {
    return { rows: Object.fromEntries(this.#rows), isExplaining: this.#explainer.isBusy };
  }

  #changes(): Frame | undefined {
    if (this.#lost !== '') {
      this.#isCompleteViewDue = true;
      return { lost: this.#lost };
    }
    if (!this.#isSynced) return undefined;
    const rows: Record<string, FleetRow | null> = {};
    for (const key of this.#changed) rows[key] = this.#update(key);
    const isAll = this.#isCompleteViewDue || (this.#changed.size > 0 && this.#changed.size >= this.#rows.size);
    this.#isCompleteViewDue = false;
    this.#changed.clear();
    const isExplaining = this.#explainer.isBusy;
    const hasExplainingChanged = isExplaining !== this.#isExplainingSent;
    this.#isExplainingSent = isExplaining;
    if (isAll) return { whole: this.#whole() };
    const hasRows = Object.keys(rows).length > 0;
    if (!hasRows && !hasExplainingChanged) return undefined;
    return { patch: { ...(hasRows && { rows }), ...(hasExplainingChanged && { isExplaining }) } };
  }

  #update(key: string): FleetRow | null {
    const [namespace = '', name = ''] = key.split('/');
    const cluster = this.#clusters.get({ namespace, name });
    if (cluster === undefined) {
      this.#rows.delete(key);
      this.#explanations.delete(key);
      this.#explainer.forget(key);
      return null;
    }
    const row = this.#rowOf(cluster);
    this.#rows.set(key, row);
    return row;
  }

  #rowOf(cluster: Frozen<Cluster>): FleetRow {
    const object = cluster as Observed;
    const clusterClass = referenceAt(object, 'spec.topology.classRef');
    return fleetRow({
      cluster,
      controlPlane: this.#controlPlaneOf(object),
      clusterClass: (clusterClass && this.#classes.get(clusterClass)) as never,
      explanation: this.#explanations.get(keyOf(object)),
    });
  }

  #markChanged(cluster: Frozen<Cluster>): void {
    const object = cluster as Observed;
    const key = keyOf(object);
    this.#watchControlPlaneKind(cluster);
    this.#changed.add(key);
    this.#subscribers.scheduleFlush();
    if (needsExplanation(object, this.#reportersOf(object))) this.#explainer.enqueue(key);
    else this.#explanations.delete(key);
  }

  #explained(key: string, explanation: Explanation | undefined): void {
    if (explanation === undefined) this.#explanations.delete(key);
    else this.#explanations.set(key, explanation);
    this.#changed.add(key);
    this.#subscribers.scheduleFlush();
  }

  #markReferencing(index: string, object: Observed): void {
    const { namespace, name } = refOf(object);
    for (const cluster of this.#clusters.byIndex(index, `${namespace}/${name}`)) this.#markChanged(cluster);
  }

  /**
   * Watches the control plane kind that a cluster references: the control plane object contains the version of a cluster without
   * topology, and reports problems.
   */
  #watchControlPlaneKind(cluster: Frozen<Cluster>): void {
    const target = referenceAt(cluster as Observed, 'spec.controlPlaneRef');
    if (target === undefined) return;
    const kind = kindKey(target);
    if (this.#controlPlanes.has(kind)) return;
    this.#controlPlanes.set(kind, undefined);
    void this.#watchKind(kind, target);
  }

  async #watchKind(key: string, kind: { readonly group: string; readonly kind: string }): Promise<void> {
    try {
      const resource = await this.options.client.resourceFor(kind);
      if (resource === undefined) return;
      const { informers, namespace } = this.options;
      const scope = { stripManagedFields: true, ...(namespace !== '' && { namespace }) };
      const informer = informers.informer(resource, scope);
      this.#controlPlanes.set(key, informer);
      const onChange = (object: Observed): void => this.#markReferencing('controlPlane', object);
      this.#disposables.push(informer.addHandler({ added: onChange, updated: onChange, deleted: onChange }));
    } catch {
      // The next cluster with this control plane kind tries again. Until then the version is shown as unknown.
      this.#controlPlanes.delete(key);
    }
  }
}

function keyOf(object: Observed): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}

/** Returns `namespace/name` of the Cluster that an object names in spec.clusterName. */
function clusterKeyOf(object: Observed): string {
  return `${object.metadata.namespace ?? ''}/${textAt(object, 'spec', 'clusterName') ?? ''}`;
}

function keysOf(target: ObjectKey | undefined): readonly string[] {
  return target === undefined ? [] : [`${target.namespace}/${target.name}`];
}

function kindKey({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${kind}.${group}`;
}
