import {
  compatibleContracts,
  currentContract,
  type FetchDependencies,
  isGitHubToken,
  labelOf,
  parseMetadata,
  seriesOf,
} from '@slipway/clusterctl';
import type { Frozen } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';
import { conditionTypes, installReasons, preflightReasons, versionLabel } from '../api/index.js';
import { fetchRelease, originOf } from '../manifests/fetch-release.js';
import {
  catalogueOf,
  newestOf,
  normalVersion,
  readRelease,
  type ReleaseManifests,
} from '../manifests/release-manifests.js';
import { isFetched, listManifests, manifestsSelector, storeManifests } from '../manifests/stored-manifests.js';
import { inPhase, installError, preflightError } from '../phase-error.js';
import type { Inputs } from './inputs.js';
import type { ProviderScope } from './provider-scope.js';

/** A release with its ConfigMaps. */
export interface LoadedRelease extends ReleaseManifests {
  readonly contract: string;
  readonly stored: readonly Frozen<ConfigMap>[];
}

const inFetch = <T>(run: () => T | Promise<T>): Promise<T> =>
  inPhase(conditionTypes.providerInstalled, installReasons.fetch, run);

/** Fetches the manifests of the requested version, unless they are stored already or the user provides them. */
export async function downloadRelease(scope: ProviderScope, { config }: Inputs): Promise<void> {
  const { context, dependencies, request, signal } = scope;
  const { clock } = context;
  const origin = originOf(scope.provider, config);
  if (origin === undefined) return;
  await inFetch(async () => {
    const { version = '' } = scope.provider.spec ?? {};
    const items = await listManifests(scope.read, scope.provider, request);
    if (version !== '' && isFetched(items, versionLabel(version), origin)) return;
    const { builtin, certificateAuthority } = dependencies;
    const trust = certificateAuthority === undefined ? {} : { certificateAuthority };
    await checkToken(origin.url, config.config.lookup('github-token') ?? '', { clock, signal });
    const release = await fetchRelease(scope.provider, origin, config, { clock, signal, builtin, ...trust });
    await scope.chooseVersion(release.version);
    await storeManifests(scope, scope.provider, release, origin, request);
  });
}

/** Checks the GitHub token. Called only before a fetch from GitHub, because the check needs the network. */
async function checkToken(url: string, token: string, dependencies: FetchDependencies): Promise<void> {
  if (token === '' || !url.startsWith('https://github.com/') || (await isGitHubToken(token, dependencies))) return;
  throw preflightError(preflightReasons.githubToken, 'GitHub rejected the github-token of spec.configSecret', {
    retry: 'onChange',
    remedy: 'replace the token in the Secret, or remove the key github-token',
  });
}

/** Loads the requested release. If none is requested, loads the newest release and records its version in the spec. */
export async function loadRelease(scope: ProviderScope): Promise<LoadedRelease> {
  const items = await inFetch(() => listManifests(scope.read, scope.provider, scope.request));
  const selector = manifestsSelector(scope.provider);
  const { namespace = '', name = '' } = scope.provider.metadata;
  if (items.length === 0) throw missing(`no ConfigMaps found with selector ${selector} in namespace ${namespace}`);
  const catalogue = await inFetch(() => catalogueOf(items));
  const { version: given = '' } = scope.provider.spec ?? {};
  const desired = given === '' ? newestOf(catalogue) : (normalVersion(given) ?? given);
  const stored = desired === undefined ? undefined : catalogue.get(desired);
  if (desired === undefined || stored === undefined)
    throw missing(
      `no ConfigMap with selector ${selector} in namespace ${namespace} contains version ${given}; available versions: ${[...catalogue.keys()].join(', ')}`,
    );
  if (given === '') await scope.chooseVersion(desired);
  const release = await inPhase(
    conditionTypes.providerInstalled,
    installReasons.fetch,
    () => readRelease(desired, stored),
    'onChange',
  );
  const contract = await contractOf(labelOf({ type: scope.provider.kind, name }), release);
  return { ...release, contract, stored };
}

/** Returns the error for a missing ConfigMap. It is not retried: creating the ConfigMap triggers the next reconcile. */
function missing(message: string): Error {
  return installError(installReasons.fetch, message, {
    retry: 'onChange',
    remedy: 'create one with the keys metadata and components',
  });
}

async function contractOf(label: string, { metadata, version }: ReleaseManifests): Promise<string> {
  const series = await inPhase(
    conditionTypes.providerInstalled,
    installReasons.contract,
    () => seriesOf(parseMetadata(metadata, label), version),
    'onChange',
  );
  if (series === undefined)
    throw installError(
      installReasons.contract,
      `invalid provider metadata: version ${version} for the provider ${label} does not match any release series`,
      { retry: 'onChange', remedy: 'add a release series for it to the metadata of the release' },
    );
  const compatible = compatibleContracts(currentContract);
  if (compatible.includes(series.contract)) return series.contract;
  throw installError(
    installReasons.contract,
    `provider ${label} ${version} implements contract ${series.contract}, but only ${compatible.join(', ')} are supported`,
    { retry: 'onChange', remedy: 'choose another version' },
  );
}
