import { currentContract } from '@slipway/clusterctl';
import { conditionTypes, type FrozenProvider, installReasons, readyReasons, upgradeReasons } from '../api/index.js';
import { normalVersion } from '../manifests/release-manifests.js';
import { installError } from '../phase-error.js';
import type { ProviderScope } from './provider-scope.js';
import type { EmbeddedProvider, EmbeddedProviders } from '../embedded/embedded-providers.js';
import { enterEmbedded, isWanted, markDeleted } from '../embedded/publish-embedded.js';

/** Returns the embedded provider of an object, or undefined if the object has its own manifests. */
export function embeddedFor(
  provider: FrozenProvider,
  embedded: EmbeddedProviders | undefined,
): EmbeddedProvider | undefined {
  if (provider.spec?.fetchConfig !== undefined) return undefined;
  return embedded?.find({ type: provider.kind, name: provider.metadata.name ?? '' });
}

/** Starts or stops the controllers of an embedded provider. Nothing is fetched or applied. */
export async function runEmbedded(
  scope: ProviderScope,
  own: EmbeddedProvider,
  embedded: EmbeddedProviders,
): Promise<void> {
  const { provider, report } = scope;
  const { version = '' } = provider.spec ?? {};
  if (version === '') await scope.chooseVersion(own.version);
  else if (normalVersion(version) !== normalVersion(own.version))
    throw installError(installReasons.fetch, `this process contains ${own.version}, but ${version} is requested`, {
      retry: 'never',
      remedy: 'install the slipway release that contains it, and start it with the same data directory',
    });
  const isOn = isWanted(provider);
  embedded.setRunning(own, isOn);
  await markDeleted(scope, provider.metadata.namespace ?? '', false);
  const before = provider.status?.installedVersion ?? '';
  if (before !== '' && before !== own.version)
    report.condition(
      conditionTypes.providerUpgraded,
      'True',
      upgradeReasons.upgraded,
      'Provider upgraded successfully',
    );
  report.condition(
    conditionTypes.providerInstalled,
    'True',
    installReasons.installed,
    'Provider installed successfully',
  );
  if (isOn) report.condition(conditionTypes.ready, 'True', readyReasons.running, 'The controllers run in this process');
  else
    report.condition(
      conditionTypes.ready,
      'False',
      readyReasons.switchedOff,
      'The controllers are stopped: spec.deployment.replicas is 0',
    );
  report.installed(own.version, currentContract);
  await enterEmbedded(scope, { ...own, namespace: provider.metadata.namespace ?? '' });
}
