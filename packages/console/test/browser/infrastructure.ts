import { providers } from '@slipway/cluster-api';
import { expect, it } from 'vitest';
import type { ConsoleOptions } from '../../src/index.js';
import { tokenOf } from '../support/tokens.js';
import { takeScreenshot } from '../support/screenshots.js';
import { waitOptions, type BrowserFixture } from './fixture.js';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'vdoconfigs.vdo.vmware.com' },
  spec: {
    group: 'vdo.vmware.com',
    scope: 'Namespaced',
    names: { kind: 'VDOConfig', plural: 'vdoconfigs', singular: 'vdoconfig', listKind: 'VDOConfigList' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const config = {
  apiVersion: 'vdo.vmware.com/v1alpha1',
  kind: 'VDOConfig',
  metadata: { namespace: 'default', name: 'fleet-drivers' },
  status: {
    cloudProvider: { installedVersion: '1.35.0', desiredVersion: '1.35.0', health: 'Healthy' },
    storageProvider: {
      installedVersion: '3.3.0',
      desiredVersion: '3.4.0',
      availableUpgrade: '3.5.0',
      health: 'Unhealthy',
      message: 'no pod of the controller is ready',
    },
  },
};

/** Whether the remote repository of a provider answers. */
let answers = false;

/** Simulates the provider repositories. Tests of the repository client cover the real ones. */
export const readOutlooks: NonNullable<ConsoleOptions['readOutlooks']> = async (client, { mayFetch }) => {
  if (mayFetch && !answers) throw new Error('cannot fetch https://mirror.test/versions.json: no response within 30 s');
  const { items } = await client.list(providers);
  return items.map(({ metadata, type = '', providerName: name = '', version = '' }) => ({
    type,
    namespace: metadata.namespace ?? '',
    name,
    version,
    next: mayFetch && version === 'v2.8.0' ? 'v2.9.0' : '',
    how: 'slipway upgrade apply --contract v1beta2',
    unknown: '',
    isUnasked: !mayFetch,
  }));
};

const pond = { namespace: 'default', name: 'infrastructure-pond' };
const pondEntry = {
  apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3',
  kind: 'Provider',
  metadata: pond,
  providerName: 'pond',
  type: 'InfrastructureProvider',
  version: 'v2.8.0',
};

export function testInfrastructure(fixture: () => BrowserFixture): void {
  it('shows providers with their versions, and looks up newer ones on request', async () => {
    const { plane, testConsole } = fixture();
    const { page, context } = await testConsole.open('/console/infrastructure');
    const table = page.getByRole('region', { name: 'Providers' });
    await table.getByText('No provider is installed').waitFor(waitOptions);
    await plane.create(pondEntry);
    const row = table.getByRole('row', { name: /pond/ });
    await row.getByText('not checked').waitFor(waitOptions);
    expect(await row.innerText()).toMatch(/pond[^]*InfrastructureProvider[^]*v2\.8\.0/);
    await table.getByRole('button', { name: 'Check for newer versions' }).click();
    await table.getByRole('alert').getByText('no response within 30 s').waitFor(waitOptions);
    answers = true;
    await table.getByRole('button', { name: 'Check for newer versions' }).click();
    await row.getByText('v2.9.0').waitFor(waitOptions);
    await row.getByText('slipway upgrade apply').waitFor();
    expect(await table.getByRole('alert').count()).toBe(0);
    // The upgrade that was read for the previous version is not shown for the new version.
    await plane.merge(providers, pond, { version: 'v2.9.0' });
    await row.getByText('not checked').waitFor(waitOptions);
    expect(await row.innerText()).toContain('v2.9.0');
    await plane.merge(providers, pond, { version: 'v2.8.0' });
    await context.close();
  });

  it('shows drivers with their upgrade path, why one is failing, and which kinds cannot be listed', async () => {
    const { plane, page, testConsole } = fixture();
    await page.goto(`${testConsole.url}/console/infrastructure`);
    await plane.create(definition);
    await expect.poll(() => plane.create(config).then(() => 'made', String), waitOptions).toMatch(/made|exists/);
    const drivers = page.getByRole('region', { name: 'vSphere drivers and their versions' });
    await drivers.getByText('3.3.0 → 3.4.0 → 3.5.0').waitFor(waitOptions);
    await drivers.getByText('no pod of the controller is ready').waitFor();
    await page.getByRole('button', { name: 'Check for newer versions' }).click();
    await page.getByRole('region', { name: 'Providers' }).getByText('slipway upgrade apply').waitFor(waitOptions);
    await takeScreenshot(page, 'infrastructure');
    const context = await testConsole.browser.newContext();
    const other = await context.newPage();
    await other.goto(`${testConsole.url}/console/infrastructure`);
    await other.getByLabel('Token').fill(await tokenOf(plane.client, { namespace: 'default', name: 'viewer' }));
    await other.getByRole('button', { name: 'Sign in' }).click();
    const hidden = other.getByRole('region', { name: 'Not shown' });
    await hidden.getByText('VDOConfig').first().waitFor(waitOptions);
    expect(await other.getByText('3.3.0').count()).toBe(0);
    await context.close();
  });
}
