import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { slipwayVersion } from '../../packages/cli/src/version.js';
import { needsRealNodes } from '../host/support/requirements.js';
import { parts, RealInstallation } from './support/real-installation.js';

const tag = `v${slipwayVersion}`;
const everything = Object.keys(parts) as (keyof typeof parts)[];

/** The short form of `npm run e2e:install`: the chart of the release on real nodes, with the images of the release. */
describe('the Helm chart of a release on a real cluster', { timeout: 600_000 }, () => {
  let started: RealInstallation | undefined;
  const running = (): RealInstallation => started ?? expect.unreachable('there is no cluster');
  beforeEach(needsRealNodes);
  afterAll(() => started?.dispose());

  it('runs the managers and both operators from the images of the release', async () => {
    const installation = await RealInstallation.start();
    started = installation;
    const values = ['providers.infrastructure-dev', 'providerOperator', 'driversOperator', 'networkPolicy'];
    await installation.helm('install', ...values.map((value) => `${value}.enabled=true`), 'replicas=2');
    expect(await installation.wrongPods(everything, 2, tag)).toEqual([]);
  });

  it('reconciles a workload cluster until it is Available', async () => {
    expect(await running().createCluster('first')).toBe('Provisioned');
    expect(await running().nodesOf('first')).toHaveLength(2);
  });

  it('continues to reconcile when the leading pods are deleted', async () => {
    await running().deleteLeader('core');
    await running().deleteLeader('dev');
    expect(await running().scaleWorkers('first', 2)).toBe(2);
  });
});
