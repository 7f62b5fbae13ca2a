import {
  addSampledMetric,
  type ControllerContext,
  durationMetric,
  type ObserveDuration,
  type Sample,
} from '@slipway/runtime';
import { type FrozenProvider, typeNames } from '../api/index.js';
import { allProviders } from '../api/list-providers.js';

/** Observes the duration of a phase, successful or not. */
export type ObservePhase = ObserveDuration<'type' | 'phase'>;

/** Buckets in seconds, from a cache hit to a download that takes minutes. */
const buckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const statuses = ['True', 'False', 'Unknown'] as const;

/** Registers the metrics of providers of all kinds. Every controller calls it, but they are registered once. */
export function providerMetrics({ metrics, sources }: Pick<ControllerContext, 'metrics' | 'sources'>): ObservePhase {
  addSampledMetric(metrics, {
    name: 'capi_operator_provider_info',
    help: 'Providers, with the installed version and contract',
    type: 'gauge',
    labelNames: ['type', 'name', 'version', 'contract'],
    sample: () => allProviders(sources).map(infoOf),
  });
  addSampledMetric(metrics, {
    name: 'capi_operator_provider_condition',
    help: 'Conditions of providers: 1 for the current status, 0 for the others',
    type: 'gauge',
    labelNames: ['type', 'name', 'condition', 'status'],
    sample: () => allProviders(sources).flatMap(conditionsOf),
  });
  return durationMetric(metrics, {
    name: 'capi_operator_provider_phase_duration_seconds',
    help: 'Duration of the phases of installing and upgrading providers',
    labelNames: ['type', 'phase'],
    buckets,
  });
}

function labelsOf({ kind, metadata }: FrozenProvider): { readonly type: string; readonly name: string } {
  return { type: typeNames[kind], name: metadata.name ?? '' };
}

function infoOf(provider: FrozenProvider): Sample {
  const { installedVersion: version = '', contract = '' } = provider.status ?? {};
  return { labels: { ...labelsOf(provider), version, contract }, value: 1 };
}

function conditionsOf(provider: FrozenProvider): readonly Sample[] {
  return (provider.status?.conditions ?? []).flatMap(({ type: condition, status }) =>
    statuses.map((each) => ({
      labels: { ...labelsOf(provider), condition, status: each },
      value: each === status ? 1 : 0,
    })),
  );
}
