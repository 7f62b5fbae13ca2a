import { Counter, Gauge, Histogram, Registry as MetricsRegistry } from 'prom-client';
import type { DocumentRoute } from './non-resource-handler.js';
import type { RequestInfo } from './request-info.js';

export interface ActiveRequest {
  finished(info: RequestInfo | undefined, contentType: string | undefined, code: number, seconds: number): void;
}

/** Callbacks of a watch for metrics. */
export interface WatchObserver {
  readonly events: (count: number) => void;
  readonly end: () => void;
}

/** Callbacks of the handler for metrics. */
export interface RequestMetrics {
  started(method: string): ActiveRequest;
  watchStarted(info: RequestInfo): WatchObserver;
}

const secondsBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const seriesMax = 10_000;

const methodVerbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
};

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  total: number;
  readonly seconds: Histogram.Internal<string>;
}

const resourceLabels = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'] as const;

/** Request metrics with upstream's names, so that existing dashboards work. */
export class PrometheusRequestMetrics implements RequestMetrics {
  readonly #seconds: Histogram;
  readonly #inflight: Gauge;
  readonly #longRunning: Gauge;
  /**
   * Watch events by label set. Counted here and exported on scrape, because incrementing a labelled counter for every
   * event and watcher would be slow.
   */
  readonly #watchEvents = new Map<string, { readonly labels: WatchLabels; count: number }>();
  // Labelled counters hash all labels on every increment, so requests are counted here and exported on scrape.
  readonly #series = new Map<string, Series>();

  constructor(readonly registry: MetricsRegistry = new MetricsRegistry()) {
    const registers = [registry];
    const series = this.#series;
    new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource, scope and HTTP response code.',
      labelNames: [...resourceLabels, 'dry_run', 'code'],
      registers,
      collect() {
        this.reset();
        for (const { labels, total } of series.values()) this.inc({ ...labels }, total);
      },
    });
    this.#seconds = new Histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Response latency in seconds by verb, resource and scope; watches are not counted.',
      labelNames: [...resourceLabels, 'dry_run'],
      buckets: secondsBuckets,
      registers,
    });
    this.#inflight = new Gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests being handled, by kind: mutating or readOnly.',
      labelNames: ['request_kind'],
      registers,
    });
    this.#longRunning = new Gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Open watches by resource and scope.',
      labelNames: [...resourceLabels],
      registers,
    });
    const counts = this.#watchEvents;
    new Counter({
      name: 'apiserver_watch_events_total',
      help: 'Events sent to watching clients.',
      labelNames: ['group', 'version', 'resource'],
      registers,
      collect() {
        this.reset();
        for (const { labels, count } of counts.values()) this.inc({ ...labels }, count);
      },
    });
  }

  started(method: string): ActiveRequest {
    const kind = method === 'GET' || method === 'HEAD' ? 'readOnly' : 'mutating';
    const gauge = this.#inflight.labels(kind);
    gauge.inc();
    return {
      finished: (info, contentType, code, seconds) => {
        gauge.dec();
        this.#finished(info, contentType, code, seconds);
      },
    };
  }

  watchStarted(info: RequestInfo): WatchObserver {
    const gauge = this.#longRunning.labels({ ...labelsOf(info, undefined) });
    const { group, version, resource } = info;
    const key = `${group}/${version}/${resource}`;
    const events = this.#watchEvents.get(key) ?? { labels: { group, version, resource }, count: 0 };
    if (this.#watchEvents.size < seriesMax) this.#watchEvents.set(key, events);
    gauge.inc();
    return { events: (count) => void (events.count += count), end: () => gauge.dec() };
  }

  #finished(info: RequestInfo | undefined, contentType: string | undefined, code: number, seconds: number): void {
    // Requests for unknown resources share one label set: clients must not be able to create unbounded series.
    const known = info !== undefined && code !== 404 && code !== 403 && code !== 401 ? info : undefined;
    const labels = labelsOf(known, contentType);
    const dryRun = known?.query.get('dryRun') ?? '';
    const dry = dryRun === 'All' ? 'All' : '';
    const key = `${labels.verb} ${labels.group}/${labels.version}/${labels.resource}/${labels.subresource} ${labels.scope} ${dry} ${code}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = {
        labels: { ...labels, dry_run: dry, code: String(code) },
        total: 0,
        seconds: this.#seconds.labels({ ...labels, dry_run: dry }),
      };
      // Limit the number of series. Existing series continue to be counted.
      if (this.#series.size < seriesMax) this.#series.set(key, series);
    }
    series.total += 1;
    if (known?.verb !== 'watch') series.seconds.observe(seconds);
  }
}

type WatchLabels = Readonly<Record<'group' | 'version' | 'resource', string>>;
type Labels = Record<(typeof resourceLabels)[number], string>;

function labelsOf(info: RequestInfo | undefined, contentType: string | undefined): Labels {
  const resource = info?.isResource === true;
  return {
    verb: verbOf(info, contentType),
    group: info?.group ?? '',
    version: info?.version ?? '',
    resource: resource ? info.resource : '',
    subresource: resource ? info.subresource : '',
    scope: resource ? scopeOf(info) : '',
    component: 'apiserver',
  };
}

function verbOf(info: RequestInfo | undefined, contentType: string | undefined): string {
  if (info === undefined) return 'other';
  if (!info.isResource) return info.method;
  if (info.verb === 'patch' && contentType?.startsWith('application/apply-patch')) return 'APPLY';
  return methodVerbs[info.verb] ?? 'other';
}

function scopeOf(info: RequestInfo): string {
  if (info.name !== '' || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}

/** Returns the `/metrics` page of all metrics registries of this process. */
export function metricsDocument(registries: () => readonly MetricsRegistry[]): DocumentRoute {
  return async () => {
    const texts = await Promise.all(registries().map((registry) => registry.metrics()));
    return { contentType: MetricsRegistry.PROMETHEUS_CONTENT_TYPE, body: texts.join('\n') };
  };
}
