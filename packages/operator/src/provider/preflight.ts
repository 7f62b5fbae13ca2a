import { isConditionTrue } from '@slipway/runtime';
import { parse } from 'semver';
import { conditionTypes, coreProviderName, type FrozenProvider, nameOf, preflightReasons } from '../api/index.js';
import { type PhaseError, preflightError } from '../phase-error.js';
import { isSameObject } from '../api/list-providers.js';

export interface PreflightFacts {
  /** Providers of the same kind, in any namespace. */
  readonly siblings: readonly FrozenProvider[];
  readonly cores: readonly FrozenProvider[];
  /** Whether the repository is predefined or configured. */
  readonly isKnown: boolean;
  /** Whether the referenced Secret exists. */
  readonly hasConfigSecret: boolean;
}

/** Returns the first failed preflight check, in the order of upstream, or undefined if all pass. */
export function preflightProblem(provider: FrozenProvider, facts: PreflightFacts): PhaseError | undefined {
  return (
    versionProblem(provider) ??
    coreNameProblem(provider) ??
    fetchConfigProblem(provider, facts) ??
    configSecretProblem(provider, facts) ??
    duplicateProblem(provider, facts) ??
    coreProblem(provider, facts)
  );
}

function versionProblem(provider: FrozenProvider): PhaseError | undefined {
  const { version = '' } = provider.spec ?? {};
  if (version === '') return undefined;
  const desired = parse(version);
  if (desired === null)
    return preflightError(preflightReasons.version, `version "${version}" is not a semantic version`, {
      retry: 'never',
      remedy: 'write it as v1.2.3',
    });
  const installed = parse(provider.status?.installedVersion ?? '');
  if (installed === null) return undefined;
  const isOlder =
    desired.major < installed.major || (desired.major === installed.major && desired.minor < installed.minor);
  if (!isOlder) return undefined;
  return preflightError(
    preflightReasons.downgrade,
    `downgrade is not supported for ${nameOf(provider)}: ${provider.status?.installedVersion ?? ''} is installed, ${version} is requested`,
    { retry: 'never', remedy: 'set spec.version to the same minor version or a later one' },
  );
}

function coreNameProblem({ kind, metadata }: FrozenProvider): PhaseError | undefined {
  if (kind !== 'CoreProvider' || metadata.name === coreProviderName) return undefined;
  return preflightError(
    preflightReasons.coreName,
    `Incorrect CoreProvider name: ${metadata.name ?? ''}. It should be ${coreProviderName}`,
    { retry: 'never' },
  );
}

function fetchConfigProblem(
  { spec, kind, metadata }: FrozenProvider,
  { isKnown }: PreflightFacts,
): PhaseError | undefined {
  const { oci, url, selector } = spec?.fetchConfig ?? {};
  const given = [oci, url, selector].filter((each) => each !== undefined).length;
  if (given > 1)
    return preflightError(
      preflightReasons.fetchConfig,
      'Only one of Selector, URL and OCI must be provided, not several',
      { retry: 'never' },
    );
  if (given === 1 || isKnown) return undefined;
  return preflightError(
    preflightReasons.fetchConfig,
    `Either Selector, URL or OCI must be provided for ${kind} ${metadata.name ?? ''}, which is not among the known providers`,
    { retry: 'never', remedy: 'set spec.fetchConfig, or add the provider to the configuration of the operator' },
  );
}

function configSecretProblem(provider: FrozenProvider, { hasConfigSecret }: PreflightFacts): PhaseError | undefined {
  const secret = provider.spec?.configSecret;
  if (secret === undefined || hasConfigSecret) return undefined;
  const namespace = secret.namespace ?? provider.metadata.namespace ?? '';
  return preflightError(preflightReasons.configSecret, `Secret ${namespace}/${secret.name} not found`, {
    retry: 'onChange',
    remedy: 'create it, or remove spec.configSecret',
  });
}

function duplicateProblem(provider: FrozenProvider, { siblings }: PreflightFacts): PhaseError | undefined {
  const isCore = provider.kind === 'CoreProvider';
  const other = siblings.find(
    (each) => !isSameObject(each, provider) && (isCore || each.metadata.name === provider.metadata.name),
  );
  if (other === undefined) return undefined;
  const { name = '' } = provider.metadata;
  return preflightError(
    preflightReasons.moreThanOne,
    isCore
      ? 'CoreProvider already exists in the cluster. Only one is allowed.'
      : `${provider.kind} ${name} already exists in the cluster. Only one is allowed.`,
    { retry: 'onChange', remedy: `delete this one or ${nameOf(other)}` },
  );
}

/**
 * Returns a problem while the core provider is not ready. It is not retried: a change of the CoreProvider triggers a reconcile.
 */
function coreProblem({ kind }: FrozenProvider, { cores }: PreflightFacts): PhaseError | undefined {
  if (kind === 'CoreProvider' || cores.some((core) => isConditionTrue(core, conditionTypes.ready))) return undefined;
  return preflightError(preflightReasons.waitingForCore, 'Waiting for the CoreProvider to be installed.', {
    retry: 'onChange',
  });
}
