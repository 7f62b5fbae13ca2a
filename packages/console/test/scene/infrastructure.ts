import { expect, it } from 'vitest';
import { tokenOf } from '../support/people.js';
import { picture } from '../support/pictures.js';
import { patience, type Scene } from './scene.js';

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

export function testInfrastructure(scene: () => Scene): void {
  it('tells drivers with their way of versions, why one is red, and what one may not list', async () => {
    const { plane, page, stage } = scene();
    await page.goto(`${stage.url}/console/infrastructure`);
    await plane.create(definition);
    await expect.poll(() => plane.create(config).then(() => 'made', String), patience).toMatch(/made|exists/);
    const drivers = page.getByRole('region', { name: 'vSphere drivers and their versions' });
    await drivers.getByText('3.3.0 → 3.4.0 → 3.5.0').waitFor(patience);
    await drivers.getByText('no pod of the controller is ready').waitFor();
    await picture(page, 'infrastructure');
    const context = await stage.browser.newContext();
    const other = await context.newPage();
    await other.goto(`${stage.url}/console/infrastructure`);
    await other.getByLabel('Token').fill(await tokenOf(plane.client, { namespace: 'default', name: 'viewer' }));
    await other.getByRole('button', { name: 'Sign in' }).click();
    const hidden = other.getByRole('region', { name: 'Not shown' });
    await hidden.getByText('VDOConfig').first().waitFor(patience);
    expect(await other.getByText('3.3.0').count()).toBe(0);
    await context.close();
  });
}
