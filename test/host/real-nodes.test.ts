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
} from './support/cluster-checks.js';
import { realCluster } from './support/manifests.js';
import { RealHost } from './support/real-host.js';
import { needsRealNodes } from './support/requirements.js';

const version = 'v1.36.3';
const stepMs = 600_000;

// The short form of `npm run e2e:real`: checks generated data with real kubeadm, kubelet, etcd and kube-apiserver.
describe('a real cluster on this host', () => {
  let started: RealHost | undefined;
  const running = (): RealHost => started ?? expect.unreachable('there is no cluster');
  beforeEach(needsRealNodes);
  afterAll(() => started?.dispose());

  it(
    'becomes available with a control plane and a worker, although Slipway is killed while they boot',
    async () => {
      const host = await RealHost.start([version]);
      started = host;
      const hostState = host.hostState();
      await host.apply(realCluster(version));
      await controlPlaneBoots(host);
      await killAndRestart(host);
      await clusterIsAvailable(host, 1, '400s');
      await expectNodes(host, 2, version);
      expect(await etcdMembers(host)).toEqual(await controlPlaneMachines(host));
      expect(host.hostState()).toEqual(hostState);
    },
    stepMs,
  );

  it(
    'runs a Pod on the worker that answers over the Pod network',
    async () => {
      expect(await answerOfPod(running())).toBe('answer');
    },
    stepMs,
  );

  it(
    'leaves nothing behind when it is deleted',
    async () => {
      expect(await deleteCluster(running(), '400s')).toEqual([]);
    },
    stepMs,
  );
});
