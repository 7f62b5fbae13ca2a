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
import { CurrentOutlooks } from './provider-outlooks.js';
import { providersOf } from './providers.js';
import { type VCenterSession, vcentersOf } from './vcenters.js';

export interface InfrastructureFeedOptions {
  readonly informers: InformerFactory;
  readonly clock: Clock;
  /** Returns the vCenter sessions of the management plane. Absent if the management plane runs in another process. */
  readonly vcenterSessions?: (() => readonly VCenterSession[]) | undefined;
  /** Returns the available upgrades of providers, without network requests. */
  readonly outlooks?: (() => Promise<readonly ProviderOutlook[]>) | undefined;
}

/** Changes are collected for this time before the view is recomputed, because machines change often while they start. */
const collectMs = 500;
/** Poll interval: informers do not report their own failures, and vCenter sessions do not report changes. */
const pollMs = 5_000;

/** Kind of the objects in clusterctl's inventory of installed providers. */
const inventoryKind = 'Provider';

/** The live view of the infrastructure: providers, drivers, vCenters and infrastructure objects. */
export class InfrastructureFeed implements ClosableFeed {
  readonly #value: ValueFeed<InfrastructureView>;
  readonly #kinds = new Map<string, { readonly shown: ShownKind; readonly informer: Informer }>();
  readonly #disposables: { dispose(): void | Promise<void> }[] = [];
  readonly #definitions: Informer<CustomResourceDefinition>;
  readonly #outlooks: CurrentOutlooks;
  #isClosed = false;
  #timer: Timer | undefined;
  #pollTimer: Timer | undefined;

  constructor(private readonly options: InfrastructureFeedOptions) {
    this.#value = new ValueFeed(options.clock);
    this.#outlooks = new CurrentOutlooks(options.outlooks, () => this.#scheduleUpdate());
    this.#definitions = options.informers.informer(customResourceDefinitions, { stripManagedFields: true });
    const onChange = (definition: Frozen<CustomResourceDefinition>): void => this.#addKind(definition);
    this.#disposables.push(
      this.#definitions.addHandler({ added: onChange, updated: onChange, deleted: () => this.#scheduleUpdate() }),
    );
    this.#scheduleUpdate();
    this.#schedulePoll();
  }

  get subscriberCount(): number {
    return this.#value.subscriberCount;
  }

  open(send: (frame: string) => void): { dispose(): void } {
    this.#outlooks.refresh();
    this.#scheduleUpdate();
    return this.#value.open(send);
  }

  dispose(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#pollTimer?.cancel();
    for (const disposable of this.#disposables) void disposable.dispose();
    this.#value.dispose();
  }

  #addKind(definition: Frozen<CustomResourceDefinition>): void {
    const shown = shownKind(definition);
    this.#scheduleUpdate();
    if (shown === undefined || this.#kinds.has(shown.definition)) return;
    const informer = this.options.informers.informer(shown.resource, { stripManagedFields: true });
    this.#kinds.set(shown.definition, { shown, informer });
    const onChange = (): void => this.#scheduleUpdate();
    this.#disposables.push(informer.addHandler({ added: onChange, updated: onChange, deleted: onChange }));
  }

  #scheduleUpdate(): void {
    if (this.#isClosed) return;
    this.#timer ??= this.options.clock.setTimer(collectMs, () => {
      this.#timer = undefined;
      this.#show();
    });
  }

  #show(): void {
    const lost = this.#definitions.status().lastError;
    if (lost !== undefined) {
      this.#value.lose(lost.message);
      this.#scheduleUpdate();
      return;
    }
    if (!this.#definitions.synced) return this.#scheduleUpdate();
    this.#value.set(this.#view());
  }

  #schedulePoll(): void {
    this.#pollTimer = this.options.clock.setTimer(pollMs, () => {
      this.#schedulePoll();
      if (this.#value.subscriberCount > 0) this.#scheduleUpdate();
    });
  }

  #view(): InfrastructureView {
    const { clock, vcenterSessions } = this.options;
    const sections: Partial<Record<SectionName, Record<string, KindView>>> = {};
    const unreadable: Record<string, { kind: string; why: string }> = {};
    for (const { shown, informer } of this.#kinds.values()) {
      const { lastError } = informer.status();
      if (lastError !== undefined) {
        // Omit the kind instead of showing outdated objects.
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
