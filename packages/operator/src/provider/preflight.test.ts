import { describe, expect, it } from 'vitest';
import type { FrozenProvider, ProviderSpec } from '../api/index.js';
import { type PreflightFacts, preflightProblem } from './preflight.js';

function provider(
  kind: FrozenProvider['kind'],
  name: string,
  {
    spec = {},
    installedVersion,
    namespace = 'n',
  }: { spec?: ProviderSpec; installedVersion?: string; namespace?: string } = {},
): FrozenProvider {
  return {
    apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
    kind,
    metadata: { name, namespace },
    spec,
    status: { ...(installedVersion !== undefined && { installedVersion }) },
  };
}

const time = '2026-01-01T00:00:00Z';
const readyCore: FrozenProvider = {
  ...provider('CoreProvider', 'cluster-api'),
  status: {
    conditions: [
      { type: 'Ready', status: 'True', reason: 'DeploymentAvailable', message: '', lastTransitionTime: time },
    ],
  },
};
const facts: PreflightFacts = { siblings: [], cores: [readyCore], isKnown: true, hasConfigSecret: true };
const infra = (spec: ProviderSpec = {}, installedVersion?: string): FrozenProvider =>
  provider('InfrastructureProvider', 'aws', { spec, ...(installedVersion !== undefined && { installedVersion }) });

describe('preflight', () => {
  const rows: { name: string; provider: FrozenProvider; facts?: Partial<PreflightFacts>; then: string | undefined }[] =
    [
      { name: 'a valid version', provider: infra({ version: 'v1.2.3' }), then: undefined },
      { name: 'a version without v', provider: infra({ version: '1.2.3' }), then: undefined },
      { name: 'a preview', provider: infra({ version: 'v1.2.3-rc.1' }), then: undefined },
      { name: 'an incomplete version', provider: infra({ version: 'v1.2' }), then: 'IncorrectVersionFormat' },
      {
        name: 'a version that is not a number',
        provider: infra({ version: 'latest' }),
        then: 'IncorrectVersionFormat',
      },
      { name: 'no version', provider: infra(), then: undefined },
      {
        name: 'a patch downgrade [operators 8]',
        provider: infra({ version: 'v1.2.3' }, 'v1.2.4'),
        then: undefined,
      },
      {
        name: 'a minor downgrade [operators 8]',
        provider: infra({ version: 'v1.1.9' }, 'v1.2.0'),
        then: 'UnsupportedProviderDowngradeReason',
      },
      {
        name: 'a major downgrade to a higher minor [operators 8]',
        provider: infra({ version: 'v1.9.0' }, 'v2.0.0'),
        then: 'UnsupportedProviderDowngradeReason',
      },
      { name: 'a major upgrade to a lower minor', provider: infra({ version: 'v2.0.0' }, 'v1.9.0'), then: undefined },
      {
        name: 'a core of another name',
        provider: provider('CoreProvider', 'core'),
        then: 'IncorrectCoreProviderNameReason',
      },
      {
        name: 'a provider without a known repository',
        provider: infra(),
        facts: { isKnown: false },
        then: 'FetchConfigValidationError',
      },
      {
        name: 'an unknown provider with a fetchConfig',
        provider: infra({ fetchConfig: { oci: 'host/a' } }),
        facts: { isKnown: false },
        then: undefined,
      },
      {
        name: 'two sources',
        provider: infra({ fetchConfig: { url: 'https://a', selector: {} } }),
        then: 'FetchConfigValidationError',
      },
      {
        name: 'a missing Secret',
        provider: infra({ configSecret: { name: 's' } }),
        facts: { hasConfigSecret: false },
        then: 'ConfigSecretNotFound',
      },
      {
        name: 'the same provider in another namespace',
        provider: infra(),
        facts: { siblings: [provider('InfrastructureProvider', 'aws', { namespace: 'other' })] },
        then: 'MoreThanOneExists',
      },
      {
        name: 'itself and another provider',
        provider: infra(),
        facts: { siblings: [infra(), provider('InfrastructureProvider', 'gcp')] },
        then: undefined,
      },
      {
        name: 'a second core',
        provider: provider('CoreProvider', 'cluster-api'),
        facts: { siblings: [provider('CoreProvider', 'cluster-api', { namespace: 'other' })] },
        then: 'MoreThanOneExists',
      },
      { name: 'no core', provider: infra(), facts: { cores: [] }, then: 'WaitingForCoreProviderReady' },
      {
        name: 'a core that is not ready',
        provider: infra(),
        facts: { cores: [provider('CoreProvider', 'cluster-api')] },
        then: 'WaitingForCoreProviderReady',
      },
      {
        name: 'a core without another core',
        provider: provider('CoreProvider', 'cluster-api'),
        facts: { cores: [] },
        then: undefined,
      },
    ];
  it.each(rows)('returns $then for $name', ({ provider: given, facts: more, then }) => {
    expect(preflightProblem(given, { ...facts, ...more })?.reason).toBe(then);
  });

  it('includes a remedy in the message', () => {
    const twin = provider('InfrastructureProvider', 'aws', { namespace: 'other' });
    expect(preflightProblem(infra(), { ...facts, siblings: [twin] })?.message).toBe(
      'InfrastructureProvider aws already exists in the cluster. Only one is allowed.; delete this one or InfrastructureProvider other/aws',
    );
  });
});
