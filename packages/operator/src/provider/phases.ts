import { isSameProvider, scaleDown } from '@slipway/clusterctl';
import { type KubeObject, parseApiVersion } from '@slipway/kube';
import type { Cause } from '@slipway/runtime';
import { type Cache, deleteOldCaches, objectsOf, markCache, readCache, writeCache } from '../cache/cache-secret.js';
import {
  conditionTypes,
  installReasons,
  nameOf,
  preflightReasons,
  readyReasons,
  upgradeReasons,
} from '../api/index.js';
import { embeddedFor, runEmbedded } from './run-embedded.js';
import { applyObjects } from '../install/apply-objects.js';
import { deleteComponents } from '../install/delete-components.js';
import { enterInventory } from '../install/enter-inventory.js';
import { otherProviders } from '../install/other-providers.js';
import { checkUpgrade, installedOf } from '../install/upgrade-rules.js';
import { listManifests } from '../manifests/stored-manifests.js';
import { storedFor } from '../manifests/release-manifests.js';
import { inPhase, installError, type PhaseError } from '../phase-error.js';
import { parseComponents, renderComponents } from '../rendering/render-components.js';
import { hashInputs, type Inputs, isApplied, readInputs } from './inputs.js';
import { downloadRelease, loadRelease, type LoadedRelease } from './load-release.js';
import { preflightProblem } from './preflight.js';
import type { ProviderScope } from './provider-scope.js';
import { providersOf } from '../api/list-providers.js';

/** Runs the phases of installing or upgrading a provider. Failures are PhaseErrors. */
export async function runPhases(scope: ProviderScope): Promise<void> {
  const inputs = await readInputs(scope);
  const { embedded } = scope.dependencies;
  const own = embeddedFor(scope.provider, embedded);
  if (own !== undefined && embedded !== undefined) {
    const problem = checkPreflight(scope, inputs);
    // The core is not required to start or stop an embedded provider.
    if (problem !== undefined && problem.reason !== preflightReasons.waitingForCore) throw problem;
    if (problem !== undefined) scope.report.failed(problem, scope.secretValues);
    return runEmbedded(scope, own, embedded);
  }
  if (await scope.phase('ApplyFromCache', () => applyFromCache(scope, inputs))) return;
  const problem = await scope.phase('PreflightChecks', () => checkPreflight(scope, inputs));
  if (problem !== undefined) throw problem;
  await scope.phase('DownloadManifests', () => downloadRelease(scope, inputs));
  const release = await scope.phase('Load', () => loadRelease(scope));
  const objects = await scope.phase('Fetch', () => render(scope, inputs, release));
  const cache = await scope.phase('Store', () =>
    inPhase(conditionTypes.providerInstalled, installReasons.failed, () => writeCache(scope, scope.provider, objects)),
  );
  await installOrUpgrade(scope, release, objects);
  scope.report.installed(scope.provider.spec?.version ?? release.version, release.contract);
  await scope.phase('Finalize', () =>
    inPhase(conditionTypes.providerInstalled, installReasons.hash, () => finalize(scope, inputs, release, cache)),
  );
}

async function finalize(scope: ProviderScope, inputs: Inputs, release: LoadedRelease, cache: Cache): Promise<void> {
  // The hash includes the version, so it is computed after the version was recorded in the spec.
  const hash = hashInputs(scope, inputs, release.stored, cache);
  await markCache(scope, cache, hash);
  await deleteOldCaches(scope, scope.provider, cache, scope.request);
  scope.report.applied(hash);
}

/** Applies the cached components if the inputs are unchanged, which reverts changes by other clients. */
async function applyFromCache(scope: ProviderScope, inputs: Inputs): Promise<boolean> {
  const cache = await readCache(scope.read, scope.provider, scope.request);
  if (cache === undefined || scope.provider.status?.installedVersion !== scope.provider.spec?.version) return false;
  const items = await listManifests(scope.read, scope.provider, scope.request);
  const stored = storedFor(items, scope.provider.spec?.version ?? '');
  if (!isApplied(scope, cache, hashInputs(scope, inputs, stored, cache))) return false;
  // A failed preflight check is only reported here: installed components are kept.
  const problem = checkPreflight(scope, inputs);
  if (problem !== undefined) scope.report.failed(problem, scope.secretValues);
  const message = `Applied ${nameOf(scope.provider)} again to revert changes that other clients made`;
  await apply(scope, objectsOf(cache), { reason: 'Resync', message });
  scope.report.condition(
    conditionTypes.providerInstalled,
    'True',
    installReasons.installed,
    'Provider installed successfully',
  );
  return true;
}

function checkPreflight(scope: ProviderScope, { config, configSecret }: Inputs): PhaseError | undefined {
  const { provider, context, report } = scope;
  const { name = '' } = provider.metadata;
  const problem = preflightProblem(provider, {
    siblings: providersOf(context.sources, provider.kind),
    cores: providersOf(context.sources, 'CoreProvider'),
    isKnown:
      embeddedFor(provider, scope.dependencies.embedded) !== undefined ||
      config.urlOf(provider) !== undefined ||
      config.config.providers.some((each) => isSameProvider(each, { name, type: provider.kind })),
    hasConfigSecret: configSecret !== undefined,
  });
  if (problem !== undefined) return problem;
  report.condition(conditionTypes.preflightCheckPassed, 'True', preflightReasons.passed, 'All preflight checks passed');
  return undefined;
}

async function render(scope: ProviderScope, inputs: Inputs, release: LoadedRelease): Promise<readonly KubeObject[]> {
  const { provider, read } = scope;
  const { additionalManifests: more } = inputs;
  if (more === undefined)
    throw installError(installReasons.fetch, `the ConfigMap of spec.additionalManifests does not exist`, {
      retry: 'onChange',
      remedy: `create ${provider.spec?.additionalManifests?.name ?? ''} with the key manifests`,
    });
  const extra = more === 'none' ? '' : (more.data?.['manifests'] ?? '');
  const text = extra === '' ? release.components : `${release.components}\n---\n${extra}`;
  const parsed = parseComponents(provider, text, inputs.config.config.lookup);
  const scopes = new Map<string, boolean | undefined>();
  for (const { apiVersion, kind } of parsed) {
    const id = `${apiVersion} ${kind}`;
    if (!scopes.has(id)) scopes.set(id, (await read.resourceFor({ ...parseApiVersion(apiVersion), kind }))?.namespaced);
  }
  return renderComponents(provider, parsed, {
    alterImage: (image) => inputs.config.alterImage(image),
    isNamespaced: ({ apiVersion, kind }) => scopes.get(`${apiVersion} ${kind}`),
  });
}

async function installOrUpgrade(
  scope: ProviderScope,
  release: LoadedRelease,
  objects: readonly KubeObject[],
): Promise<void> {
  const { provider, report } = scope;
  const installed = provider.status?.installedVersion ?? '';
  if (installed !== '' && installed !== provider.spec?.version) {
    await scope.phase('Upgrade', () =>
      inPhase(conditionTypes.providerUpgraded, upgradeReasons.failed, () => upgrade(scope, release, objects)),
    );
    report.condition(
      conditionTypes.providerUpgraded,
      'True',
      upgradeReasons.upgraded,
      'Provider upgraded successfully',
    );
  } else {
    const message = `Installing ${nameOf(provider)} ${release.version}`;
    await scope.phase('Install', () => apply(scope, objects, { reason: 'Installing', message }));
  }
  report.condition(
    conditionTypes.providerInstalled,
    'True',
    installReasons.installed,
    'Provider installed successfully',
  );
  await enterInventory(scope, { ...installedOf(provider), version: release.version });
}

/**
 * Upgrades a provider. The old manager is deleted first, because two versions must not run at the same time. Every step is
 * idempotent.
 */
async function upgrade(scope: ProviderScope, release: LoadedRelease, objects: readonly KubeObject[]): Promise<void> {
  const { provider, context, request, signal } = scope;
  const { sources, clock } = context;
  checkUpgrade(provider, release.contract, await otherProviders(provider, scope.read, sources, request));
  const message = `Upgrading ${nameOf(provider)} from ${provider.status?.installedVersion ?? ''} to ${release.version}`;
  const { upgrading: reason } = readyReasons;
  await scope.announce({ type: conditionTypes.ready, status: 'Unknown', reason, message });
  const old = installedOf(provider);
  await scaleDown(scope, old, { clock, signal });
  await deleteComponents(scope, old, { reason, message, ...request });
  await applyObjects(scope, objects, { reason, message, ...request });
}

function apply(
  scope: ProviderScope,
  objects: readonly KubeObject[],
  cause: Pick<Cause, 'reason' | 'message'>,
): Promise<void> {
  return inPhase(conditionTypes.providerInstalled, installReasons.failed, () =>
    applyObjects(scope, objects, { ...cause, ...scope.request }),
  );
}
