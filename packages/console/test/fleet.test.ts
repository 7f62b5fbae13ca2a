import { clusters } from '@slipway/cluster-api';
import type { Resource } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LivePlane, startLivePlane } from './support/live-plane.js';
import { clusterManifests } from './support/manifests.js';
import { type Stage, startStage } from './support/browser.js';
import { picture } from './support/pictures.js';

describe('the fleet in a browser', () => {
  let plane: LivePlane;
  let stage: Stage;

  beforeAll(async () => {
    plane = await startLivePlane();
    stage = await startStage(plane.connection);
  });

  afterAll(async () => {
    await stage?.stop();
    await plane?.stop();
  });

  it('shows clusters as they come up, fail and go, without a reload', async () => {
    const { page, problems } = await stage.open();
    await page.getByText('There are no clusters yet.').waitFor();
    await plane.create(...clusterManifests({ name: 'shipyard', controlPlanes: 3, workers: 2 }));
    await plane.create(...clusterManifests({ name: 'harbour', broken: true }));
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await row('shipyard').getByText('Available').waitFor({ timeout: 40_000 });
    await picture(page, 'fleet');
    await plane.client.delete(clusters as Resource, { namespace: 'default', name: 'shipyard' });
    await row('shipyard').waitFor({ state: 'detached', timeout: 30_000 });
    expect(problems).toEqual([]);
  });
});
