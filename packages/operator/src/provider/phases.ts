import { isSameProvider, scaleDown } from '@slipway/clusterctl';
import { type KubeObject, parseApiVersion } from '@slipway/kube';
import { type Cache, deleteOldCaches, objectsOf, markCache, readCache, writeCache } from '../cache/cache-secret.js';
import {
  conditionTypes,
  installReasons,
  nameOf,
  preflightReasons,
  readyReasons,
  upgradeReasons,
} from '../api/index.js';
import { embeddedFor, runEmbedded } from '../embedded/run-embedded.js';
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
import type { ProviderRun } from './provider-run.js';
import { providersOf } from './providers.js';

/** From an object to a running provider, step by step. What stops one of them is a PhaseError. */
export async function runPhases(run: ProviderRun): Promise<void> {
  const inputs = await readInputs(run);
  const { embedded } = run.world;
  const own = embeddedFor(run.provider, embedded);
  if (own !== undefined && embedded !== undefined) {
    const problem = checkPreflight(run, inputs);
    // It is here already, and can be switched whether the core runs or not.
    if (problem !== undefined && problem.reason !== preflightReasons.waitingForCore) throw problem;
    if (problem !== undefined) run.report.failed(problem, run.secretValues);
    return runEmbedded(run, own, embedded);
  }
  if (await run.phase('ApplyFromCache', () => applyFromCache(run, inputs))) return;
  const problem = await run.phase('PreflightChecks', () => checkPreflight(run, inputs));
  if (problem !== undefined) throw problem;
  await run.phase('DownloadManifests', () => downloadRelease(run, inputs));
  const release = await run.phase('Load', () => loadRelease(run));
  const objects = await run.phase('Fetch', () => render(run, inputs, release));
  const cache = await run.phase('Store', () =>
    inPhase(conditionTypes.providerInstalled, installReasons.failed, () =>
      writeCache(run.context.client, run.provider, objects, run.request),
    ),
  );
  await installOrUpgrade(run, release, objects);
  run.report.installed(run.provider.spec?.version ?? release.version, release.contract);
  await run.phase('Finalize', () =>
    inPhase(conditionTypes.providerInstalled, installReasons.hash, () => finalize(run, inputs, release, cache)),
  );
}

async function finalize(run: ProviderRun, inputs: Inputs, release: LoadedRelease, cache: Cache): Promise<void> {
  const { client } = run.context;
  // With the version that was written back: a hash from before would never be met again.
  const hash = hashInputs(run, inputs, release.stored, cache);
  await markCache(client, cache, hash, run.request);
  await deleteOldCaches(client, run.provider, cache, run.request);
  run.report.applied(hash);
}

/** Nothing changed that a rendering depends on: what was rendered is applied again, which mends what others broke. */
async function applyFromCache(run: ProviderRun, inputs: Inputs): Promise<boolean> {
  const { client } = run.context;
  const cache = await readCache(client, run.provider, run.request);
  if (cache === undefined || run.provider.status?.installedVersion !== run.provider.spec?.version) return false;
  const items = await listManifests(client, run.provider, run.request);
  const stored = storedFor(items, run.provider.spec?.version ?? '');
  if (!isApplied(run, cache, hashInputs(run, inputs, stored, cache))) return false;
  // Told, but in nobody's way: what is installed already is kept.
  const problem = checkPreflight(run, inputs);
  if (problem !== undefined) run.report.failed(problem, run.secretValues);
  await apply(run, objectsOf(cache));
  run.report.condition(
    conditionTypes.providerInstalled,
    'True',
    installReasons.installed,
    'Provider installed successfully',
  );
  return true;
}

function checkPreflight(run: ProviderRun, { config, configSecret }: Inputs): PhaseError | undefined {
  const { provider, context, report } = run;
  const { name = '' } = provider.metadata;
  const problem = preflightProblem(provider, {
    siblings: providersOf(context.sources, provider.kind),
    cores: providersOf(context.sources, 'CoreProvider'),
    isKnown:
      embeddedFor(provider, run.world.embedded) !== undefined ||
      config.urlOf(provider) !== undefined ||
      config.config.providers.some((each) => isSameProvider(each, { name, type: provider.kind })),
    hasConfigSecret: configSecret !== undefined,
  });
  if (problem !== undefined) return problem;
  report.condition(conditionTypes.preflightCheckPassed, 'True', preflightReasons.passed, 'All preflight checks passed');
  return undefined;
}

async function render(run: ProviderRun, inputs: Inputs, release: LoadedRelease): Promise<readonly KubeObject[]> {
  const { provider, context } = run;
  const { additionalManifests: more } = inputs;
  if (more === undefined)
    throw installError(installReasons.fetch, `the ConfigMap of spec.additionalManifests is not there`, {
      retry: 'onChange',
      remedy: `create ${provider.spec?.additionalManifests?.name ?? ''} with the key manifests`,
    });
  const extra = more === 'none' ? '' : (more.data?.['manifests'] ?? '');
  const text = extra === '' ? release.components : `${release.components}\n---\n${extra}`;
  const parsed = parseComponents(provider, text, inputs.config.config.lookup);
  const scopes = new Map<string, boolean | undefined>();
  for (const { apiVersion, kind } of parsed) {
    const id = `${apiVersion} ${kind}`;
    if (!scopes.has(id))
      scopes.set(id, (await context.client.resourceFor({ ...parseApiVersion(apiVersion), kind }))?.namespaced);
  }
  return renderComponents(provider, parsed, {
    alterImage: (image) => inputs.config.alterImage(image),
    isNamespaced: ({ apiVersion, kind }) => scopes.get(`${apiVersion} ${kind}`),
  });
}

async function installOrUpgrade(
  run: ProviderRun,
  release: LoadedRelease,
  objects: readonly KubeObject[],
): Promise<void> {
  const { provider, report } = run;
  const installed = provider.status?.installedVersion ?? '';
  if (installed !== '' && installed !== provider.spec?.version) {
    await run.phase('Upgrade', () =>
      inPhase(conditionTypes.providerUpgraded, upgradeReasons.failed, () => upgrade(run, release, objects)),
    );
    report.condition(
      conditionTypes.providerUpgraded,
      'True',
      upgradeReasons.upgraded,
      'Provider upgraded successfully',
    );
  } else await run.phase('Install', () => apply(run, objects));
  report.condition(
    conditionTypes.providerInstalled,
    'True',
    installReasons.installed,
    'Provider installed successfully',
  );
  await enterInventory(run.context.client, { ...installedOf(provider), version: release.version }, run.request);
}

/** Two versions of a manager must not act at the same time, so the old one goes first. Every step can be repeated. */
async function upgrade(run: ProviderRun, release: LoadedRelease, objects: readonly KubeObject[]): Promise<void> {
  const { provider, context, request, signal } = run;
  const { client, sources, clock } = context;
  checkUpgrade(provider, release.contract, await otherProviders(provider, client, sources, request));
  const message = `${nameOf(provider)} goes from ${provider.status?.installedVersion ?? ''} to ${release.version}`;
  await run.announce([{ type: conditionTypes.ready, status: 'Unknown', reason: readyReasons.upgrading, message }]);
  const old = installedOf(provider);
  await scaleDown(client, old, { clock, signal });
  await deleteComponents(client, old, request);
  await applyObjects(client, objects, request);
}

function apply(run: ProviderRun, objects: readonly KubeObject[]): Promise<void> {
  return inPhase(conditionTypes.providerInstalled, installReasons.failed, () =>
    applyObjects(run.context.client, objects, run.request),
  );
}
