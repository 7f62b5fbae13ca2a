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
import { realNodesLong } from '../../scripts/documented-commands/real-nodes.js';
import { controlPlaneHealthCheck, realCluster } from './support/manifests.js';
import { RealHost } from './support/real-host.js';
import { needsRealNodes } from './support/requirements.js';

const [before, after] = ['v1.35.8', 'v1.36.3'];
/** The image of CoreDNS among the node files of the later version. */
const coreDnsAfter = 'v1.14.2';

/**
 * Tests the lifecycle of a real cluster. Slipway is killed and restarted in the middle of each step: the step still completes,
 * and the nodes stay ready.
 */
describe('the lifecycle of a real cluster', { timeout: 600_000 }, () => {
  let started: RealHost | undefined;
  const running = (): RealHost => started ?? expect.unreachable('there is no cluster');
  beforeEach(needsRealNodes);
  afterAll(() => started?.dispose());

  it(`becomes available at ${before} with one control plane machine and one worker`, async () => {
    const host = await RealHost.start([before, after]);
    started = host;
    await host.apply(realCluster(before));
    await controlPlaneBoots(host);
    await killAndRestart(host);
    await clusterIsAvailable(host, 1, '300s');
    await expectNodes(host, 2, before);
    expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
  });

  it('runs a Pod on the worker that answers over the Pod network', async () => {
    expect(await answerOfPod(running())).toBe('answer');
  });

  it('scales to three control plane machines and three etcd members', async () => {
    const host = running();
    const since = await readySince(host);
    await host.shell(realNodesLong.scaleControlPlane);
    await controlPlaneBoots(host);
    await killAndRestart(host);
    await clusterIsAvailable(host, 3, '480s');
    await expectNodes(host, 4, before);
    expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
    // The existing nodes were ready all the time.
    expect(await readySince(host)).toEqual(expect.arrayContaining(since));
  });

  it(`is upgraded to ${after}, one machine after the other`, async () => {
    const host = running();
    const kubeadmConfigSpec = { clusterConfiguration: { dns: { imageTag: coreDnsAfter } } };
    await host.patch('kubeadmcontrolplane/real', { spec: { version: after, kubeadmConfigSpec } });
    await controlPlaneBoots(host);
    await killAndRestart(host);
    await clusterIsAvailable(host, 3, '540s');
    expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
  });

  it(`upgrades its worker to ${after}`, async () => {
    const host = running();
    await host.patch('machinedeployment/real-workers', { spec: { template: { spec: { version: after } } } });
    await killAndRestart(host);
    for (const field of ['upToDateReplicas', 'replicas', 'availableReplicas'])
      await host.kubectl('wait', `--for=jsonpath={.status.${field}}=1`, '--timeout=300s', 'md/real-workers');
    await expectNodes(host, 4, after);
    expect(await answerOfPod(host)).toBe('answer');
  });

  it('replaces a control plane machine that was killed', async () => {
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

  it('scales down to one control plane machine and one etcd member', async () => {
    const host = running();
    await host.kubectl('scale', 'kubeadmcontrolplane/real', '--replicas=1');
    await killAndRestart(host);
    await clusterIsAvailable(host, 1, '300s');
    expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
    expect(await nodesOf(host)).toHaveLength(2);
  });

  it('is deleted completely', async () => {
    expect(await deleteCluster(running())).toEqual([]);
  });
});
