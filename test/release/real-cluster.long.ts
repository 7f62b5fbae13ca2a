import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { slipwayVersion } from '../../packages/cli/src/version.js';
import { needsRealNodes } from '../host/support/requirements.js';
import { parts, RealInstallation } from './support/real-installation.js';
import { operatorProviders } from './support/operator-providers.js';

const tag = `v${slipwayVersion}`;
const nextTag = `${tag}-next`;
const managers = ['core', 'bootstrap', 'controlPlane', 'dev'] as const;
const everything = Object.keys(parts) as (keyof typeof parts)[];

/**
 * Installs a release on real nodes by its Helm chart, by `slipway init` and by the provider operator. The same workload cluster is
 * reconciled by all of them.
 */
describe('a release on a real cluster', { timeout: 900_000 }, () => {
  let started: RealInstallation | undefined;
  const running = (): RealInstallation => started ?? expect.unreachable('there is no cluster');
  beforeEach(needsRealNodes);
  afterAll(() => started?.dispose());

  it('runs the managers and both operators of the Helm chart', async () => {
    const installation = await RealInstallation.start();
    started = installation;
    await installation.tagImage(tag, nextTag);
    const values = ['providers.infrastructure-dev', 'providerOperator', 'driversOperator', 'podDisruptionBudget'];
    await installation.helm(
      'install',
      ...[...values, 'networkPolicy'].map((value) => `${value}.enabled=true`),
      'replicas=2',
    );
    expect(await installation.wrongPods(everything, 2, tag)).toEqual([]);
  });

  it('reconciles a workload cluster until it is Available', async () => {
    expect(await running().createCluster('first')).toBe('Provisioned');
    expect(await running().nodesOf('first')).toHaveLength(2);
  });

  it.each(managers.map((name, index) => [name, index + 2] as const))(
    'continues to reconcile when the leading pod of %s is deleted',
    async (name, workers) => {
      await running().deleteLeader(name);
      expect(await running().scaleWorkers('first', workers)).toBe(workers);
    },
  );

  it('is upgraded by changing the tag of the image, and continues to reconcile', async () => {
    await running().helm('upgrade', `image.tag=${nextTag}`);
    expect(await running().wrongPods(everything, 2, nextTag)).toEqual([]);
    expect(await running().scaleWorkers('first', 6)).toBe(6);
  });

  it('is replaced by `slipway init` and `slipway drivers deploy`, which keep the workload cluster', async () => {
    await running().uninstallChart();
    await running().shell('slipway init --infrastructure dev --wait-providers');
    await running().shell('slipway drivers deploy');
    expect(await running().wrongPods([...managers, 'driversOperator'], 1, tag)).toEqual([]);
    expect(await running().scaleWorkers('first', 2)).toBe(2);
    expect(await running().createCluster('second')).toBe('Provisioned');
  });

  it.each([
    ['core', 2],
    ['dev', 3],
  ] as const)('continues when the only pod of %s is deleted', async (name, workers) => {
    await running().deleteLeader(name);
    expect(await running().scaleWorkers('second', workers)).toBe(workers);
  });

  it('deletes workload clusters and its providers completely', async () => {
    await running().shell('kubectl delete cluster first second --timeout=180s');
    await running().shell('slipway delete --all');
    expect(await running().shell('kubectl get deployments -A -l cluster.x-k8s.io/provider -o name')).toBe('');
  });

  it('is installed by the provider operator', async () => {
    const off = ['cluster-api', 'bootstrap-kubeadm', 'control-plane-kubeadm'];
    await running().helm(
      'install',
      'providerOperator.enabled=true',
      ...off.map((name) => `providers.${name}.enabled=false`),
    );
    expect(await running().wrongPods(['providerOperator'], 1, tag)).toEqual([]);
    await running().apply(operatorProviders);
    for (const kind of ['coreprovider', 'bootstrapprovider', 'controlplaneprovider', 'infrastructureprovider'])
      await running().shell(`kubectl wait ${kind} --all -A --for=condition=Ready --timeout=180s`);
    expect(await running().wrongPods(managers, 1, tag)).toEqual([]);
    expect(await running().createCluster('third')).toBe('Provisioned');
  });
});
