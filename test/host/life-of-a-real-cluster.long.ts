import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answerOfPod,
  clusterIsAvailable,
  controlPlaneBoots,
  controlPlaneMachines,
  deleteCluster,
  etcdMembers,
  expectNodes,
  killAndRestart,
  nodesOf,
  readySince,
} from './support/cluster-checks.js';
import { controlPlaneHealthCheck, realCluster } from './support/manifests.js';
import { RealHost } from './support/real-host.js';
import { needsRealNodes } from './support/requirements.js';

const [before, after] = ['v1.35.8', 'v1.36.3'];

/**
 * The life of a real cluster, from its first machine to its last. In the middle of each step Slipway is killed and started
 * again: the step is finished, and the nodes never notice.
 */
describe('the life of a real cluster', { timeout: 600_000 }, () => {
  let started: RealHost | undefined;
  const running = (): RealHost => started ?? expect.unreachable('there is no cluster');
  beforeEach(needsRealNodes);
  afterAll(() => started?.dispose());

  it(`comes up at ${before} with one control plane and one worker`, async () => {
    const host = await RealHost.start([before, after]);
    started = host;
    await host.apply(realCluster(before));
    await controlPlaneBoots(host);
    await killAndRestart(host);
    await clusterIsAvailable(host, 1, '300s');
    await expectNodes(host, 2, before);
    expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
  });

  it('runs a pod on the worker that answers over the network between pods', async () => {
    expect(await answerOfPod(running())).toBe('answer');
  });

  it('grows to three control planes, and etcd to three members', async () => {
    const host = running();
    const since = await readySince(host);
    await host.kubectl('scale', 'kubeadmcontrolplane/real', '--replicas=3');
    await controlPlaneBoots(host);
    await killAndRestart(host);
    await clusterIsAvailable(host, 3, '480s');
    await expectNodes(host, 4, before);
    expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
    // The nodes that were there have never been anything but ready.
    expect(await readySince(host)).toEqual(expect.arrayContaining(since));
  });

  it(`is upgraded to ${after}, one machine after the other`, async () => {
    const host = running();
    await host.patch('kubeadmcontrolplane/real', { spec: { version: after } });
    await controlPlaneBoots(host);
    await killAndRestart(host);
    await clusterIsAvailable(host, 3, '540s');
    expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
  });

  it(`has its worker upgraded to ${after}`, async () => {
    const host = running();
    await host.patch('machinedeployment/real-workers', { spec: { template: { spec: { version: after } } } });
    await killAndRestart(host);
    for (const field of ['upToDateReplicas', 'replicas', 'availableReplicas'])
      await host.kubectl('wait', `--for=jsonpath={.status.${field}}=1`, '--timeout=300s', 'md/real-workers');
    await expectNodes(host, 4, after);
    expect(await answerOfPod(host)).toBe('answer');
  });

  it('has a control-plane machine that was killed replaced', async () => {
    const host = running();
    await host.apply(controlPlaneHealthCheck);
    const [victim = ''] = await controlPlaneMachines(host);
    process.kill(await host.machinePid(victim), 'SIGKILL');
    await host.kubectl('wait', '--for=delete', '--timeout=300s', `machine/${victim}`);
    await killAndRestart(host);
    await clusterIsAvailable(host, 3, '300s');
    await expectNodes(host, 4, after);
    const members = await etcdMembers(host);
    expect(members).not.toContain(victim);
    expect(members).toEqual(await controlPlaneMachines(host));
  });

  it('shrinks to one control plane, and etcd to one member', async () => {
    const host = running();
    await host.kubectl('scale', 'kubeadmcontrolplane/real', '--replicas=1');
    await killAndRestart(host);
    await clusterIsAvailable(host, 1, '300s');
    expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
    expect(await nodesOf(host)).toHaveLength(2);
  });

  it('leaves nothing when it is deleted', async () => {
    expect(await deleteCluster(running(), '240s')).toEqual([]);
  });
});
