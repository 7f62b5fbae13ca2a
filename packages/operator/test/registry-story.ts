import { getCondition, secrets } from '@slipway/runtime';
import { startOciServer, type TestHttpsServer } from '@slipway/testing/servers';
import { expect, it } from 'vitest';
import { OperatorFixture, runs, hasReason } from './operator-fixture.js';
import type { OperatorUnderTest } from './operator-under-test.js';
import { stockFiles } from './stock-release.js';

const infra = { name: 'pond', type: 'InfrastructureProvider' } as const;

/** Starts a registry with two releases of one provider, with both supported file names. */
export function startStockRegistry(): Promise<TestHttpsServer> {
  const { metadata, components } = stockFiles({ ...infra, version: 'v1.0.0' });
  const named = stockFiles({ ...infra, version: 'v1.1.0' });
  return startOciServer(
    {
      'stock/pond': {
        'v1.0.0': { 'metadata.yaml': metadata, 'components.yaml': components },
        'v1.1.0': {
          'infrastructure-pond-v1.1.0-metadata.yaml': named.metadata,
          'infrastructure-components.yaml': named.components,
        },
      },
    },
    { login: { username: 'user', password: 'password' } },
  );
}

/** Tests with a registry that the operator trusts, on a server with a core provider. */
export function registryStory(stage: () => { readonly operator: OperatorUnderTest; readonly host: string }): void {
  const fixtureOf = (): OperatorFixture => new OperatorFixture(stage().operator.client);

  it('from a registry requires a version', async () => {
    const { operator, host } = stage();
    const fixture = fixtureOf();
    await fixture.create(infra, { fetchConfig: { oci: `${host}/stock/pond` }, configSecret: { name: 'login' } });
    await fixture.reaches(infra, hasReason('PreflightCheckPassed', 'ConfigSecretNotFound'));
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    await operator.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'login', namespace: 'pond-system' },
      data: { OCI_USERNAME: encoded('user'), OCI_PASSWORD: encoded('password') },
    });
    const reported = await fixture.reaches(infra, hasReason('PreflightCheckPassed', 'EmptyVersionReason'));
    expect(getCondition(reported, 'PreflightCheckPassed')?.message).toContain('set spec.version, or a tag');
  });

  it('from a registry authenticates, finds files by either name, and upgrades', async () => {
    const fixture = fixtureOf();
    await fixture.change(infra, { version: 'v1.0.0' });
    await fixture.reaches(infra, runs('v1.0.0'));
    await fixture.change(infra, { version: 'v1.1.0' });
    expect((await fixture.reaches(infra, runs('v1.1.0'))).status?.contract).toBe('v1beta2');
  });
}
