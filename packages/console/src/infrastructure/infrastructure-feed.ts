import type { Clock, Timer } from '@slipway/base';
import type { Observed } from '@slipway/insight';
import type { CustomResourceDefinition, Frozen } from '@slipway/kube';
import { customResourceDefinitions, type Informer, type InformerFactory } from '@slipway/runtime';
import type { ClosableFeed } from '../feeds/feed.js';
import { ValueFeed } from '../feeds/value-feed.js';
import {
  type InfrastructureView,
  type KindView,
  outlookFor,
  type ProviderOutlook,
  type ProviderView,
  type SectionName,
} from '../model/infrastructure.js';
import { driversOf } from './drivers.js';
import { kindView, type ShownKind, shownKind } from './kind-view.js';
import { kvmHostsOf } from './kvm-hosts.js';
import { KnownOutlooks } from './provider-outlooks.js';
import { providersOf } from './providers.js';
import { type VCenterSession, vcentersOf } from './vcenters.js';

export interface InfrastructureFeedOptions {
  readonly informers: InformerFactory;
  readonly clock: Clock;
  /** Of the management plane, where it is in this process. */
  readonly vcenterSessions?: (() => readonly VCenterSession[]) | undefined;
  /** What providers could be upgraded to, as far as that is known without a network. */
  readonly outlooks?: (() => Promise<readonly ProviderOutlook[]>) | undefined;
}

/** Machines that come up change often; a page of all of them once in a while is enough. */
const calmMs = 500;
/** Informers do not report their own failures, and sessions do not report changes: both are polled. */
const lookMs = 5_000;

/** Of clusterctl: which providers are installed. */
const inventoryKind = 'Provider';

/** What clusters stand on: providers, drivers, vCenters and the objects of every infrastructure. */
export class InfrastructureFeed implements ClosableFeed {
  readonly #value: ValueFeed<InfrastructureView>;
  readonly #kinds = new Map<string, { readonly shown: ShownKind; readonly informer: Informer }>();
  readonly #held: { dispose(): void | Promise<void> }[] = [];
  readonly #definitions: Informer<CustomResourceDefinition>;
  readonly #outlooks: KnownOutlooks;
  #isOver = false;
  #timer: Timer | undefined;
  #look: Timer | undefined;

  constructor(private readonly options: InfrastructureFeedOptions) {
    this.#value = new ValueFeed(options.clock);
    this.#outlooks = new KnownOutlooks(options.outlooks, () => this.#later());
    this.#definitions = options.informers.informer(customResourceDefinitions, { stripManagedFields: true });
    const note = (definition: Frozen<CustomResourceDefinition>): void => this.#noteDefinition(definition);
    this.#held.push(this.#definitions.addHandler({ added: note, updated: note, deleted: () => this.#later() }));
    this.#later();
    this.#lookAgain();
  }

  get viewers(): number {
    return this.#value.viewers;
  }

  open(send: (frame: string) => void): { dispose(): void } {
    this.#outlooks.refresh();
    this.#later();
    return this.#value.open(send);
  }

  dispose(): void {
    this.#isOver = true;
    this.#timer?.cancel();
    this.#look?.cancel();
    for (const held of this.#held) void held.dispose();
    this.#value.dispose();
  }

  #noteDefinition(definition: Frozen<CustomResourceDefinition>): void {
    const shown = shownKind(definition);
    this.#later();
    if (shown === undefined || this.#kinds.has(shown.definition)) return;
    const informer = this.options.informers.informer(shown.resource, { stripManagedFields: true });
    this.#kinds.set(shown.definition, { shown, informer });
    const note = (): void => this.#later();
    this.#held.push(informer.addHandler({ added: note, updated: note, deleted: note }));
  }

  #later(): void {
    if (this.#isOver) return;
    this.#timer ??= this.options.clock.setTimer(calmMs, () => {
      this.#timer = undefined;
      this.#show();
    });
  }

  #show(): void {
    const lost = this.#definitions.status().lastError;
    if (lost !== undefined) {
      this.#value.lose(lost.message);
      this.#later();
      return;
    }
    if (!this.#definitions.synced) return this.#later();
    this.#value.set(this.#view());
  }

  #lookAgain(): void {
    this.#look = this.options.clock.setTimer(lookMs, () => {
      this.#lookAgain();
      if (this.#value.viewers > 0) this.#later();
    });
  }

  #view(): InfrastructureView {
    const { clock, vcenterSessions } = this.options;
    const sections: Partial<Record<SectionName, Record<string, KindView>>> = {};
    const unreadable: Record<string, { kind: string; why: string }> = {};
    for (const { shown, informer } of this.#kinds.values()) {
      const { lastError } = informer.status();
      if (lastError !== undefined) {
        // What it knew is not true any more.
        unreadable[shown.definition] = { kind: shown.resource.kind, why: lastError.message };
        continue;
      }
      if (shown.section === 'providers') continue;
      const view = kindView(shown, informer.list());
      const section = (sections[shown.section] ??= {});
      if (view.count > 0) section[shown.definition] = view;
    }
    const configs = this.#ofKind('VDOConfig');
    return {
      providers: this.#providers(),
      vcenters: vcentersOf({
        clusters: this.#ofKind('VSphereCluster'),
        machines: this.#ofKind('VSphereVM'),
        configs,
        sessions: vcenterSessions?.(),
        nowMs: clock.now(),
      }),
      kvmHosts: kvmHostsOf(this.#ofKind('KVMMachine')),
      drivers: driversOf(configs),
      sections,
      unreadable,
    };
  }

  #providers(): Record<string, ProviderView> {
    const managed = [...this.#kinds.values()]
      .map(({ shown }) => shown)
      .filter(({ section, resource }) => section === 'providers' && resource.kind !== inventoryKind);
    const rows = providersOf(
      this.#ofKind(inventoryKind),
      managed.flatMap(({ resource }) => this.#ofKind(resource.kind)),
    );
    const known = this.#outlooks.of(JSON.stringify(rows));
    return Object.fromEntries(
      Object.entries(rows).map(([key, row]) => {
        const outlook = outlookFor(row, known);
        return [key, { ...row, ...(outlook && { outlook }) }];
      }),
    );
  }

  #ofKind(kind: string): readonly Observed[] {
    const found = [...this.#kinds.values()].find(({ shown }) => shown.resource.kind === kind)?.informer;
    return found === undefined || found.status().lastError !== undefined ? [] : found.list();
  }
}
