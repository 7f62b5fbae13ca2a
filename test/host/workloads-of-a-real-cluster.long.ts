import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { clusterIsAvailable, deleteCluster, expectNodes, nodesOf } from './support/cluster-checks.js';
import { localAddOns, realCluster } from './support/manifests.js';
import { RealHost } from './support/real-host.js';
import { needsRealNodes } from './support/requirements.js';
import {
  answerTo,
  applyPolicy,
  availableAddOns,
  clusterIpOfWeb,
  contentAfterReplacement,
  deployWeb,
  nodesWithUsage,
  releaseVolume,
  untilAnswer,
} from './support/workload-checks.js';

const version = 'v1.36.3';

/** Applications on a real cluster, with real kube-proxy, CoreDNS, local-path-provisioner and metrics-server. */
describe('workloads of a real cluster', { timeout: 600_000 }, () => {
  let started: RealHost | undefined;
  const running = (): RealHost => started ?? expect.unreachable('there is no cluster');
  beforeEach(needsRealNodes);
  afterAll(() => started?.dispose());

  it('have the add-ons of the cluster', async () => {
    const host = await RealHost.start([version]);
    started = host;
    await host.apply(realCluster(version));
    await host.apply(localAddOns());
    await clusterIsAvailable(host, 1, '400s');
    await expectNodes(host, 2, version);
    expect(await availableAddOns(host)).toEqual(['coredns', 'local-path-provisioner', 'metrics-server']);
  });

  it('reach a Service by its cluster IP and by its DNS name', async () => {
    const host = running();
    await deployWeb(host);
    expect(await untilAnswer(host, 'friend', `http://${await clusterIpOfWeb(host)}`, /^web-/)).toMatch(/^web-/);
    for (const name of ['web', 'web.default', 'web.default.svc.cluster.local'])
      expect(await untilAnswer(host, 'friend', `http://${name}`, /^web-/)).toMatch(/^web-/);
  });

  it('are isolated by a NetworkPolicy, and reached only by the Pods that another one allows', async () => {
    const host = running();
    expect(await untilAnswer(host, 'stranger', 'http://web', /^web-/)).toMatch(/^web-/);
    await applyPolicy(host, 'denyAll');
    expect(await untilAnswer(host, 'stranger', 'http://web', /^blocked$/)).toMatch(/^blocked$/);
    expect(await answerTo(host, 'friend', 'http://web')).toBe('blocked');
    await applyPolicy(host, 'allowFriend');
    expect(await untilAnswer(host, 'friend', 'http://web', /^web-/)).toMatch(/^web-/);
    expect(await answerTo(host, 'stranger', 'http://web')).toBe('blocked');
    await applyPolicy(host, 'onlyDns');
    expect(await untilAnswer(host, 'friend', 'http://web', /^blocked$/)).toMatch(/^blocked$/);
  });

  it('keep their data in a volume of local-path-provisioner when their Pod is replaced', async () => {
    const host = running();
    expect(await contentAfterReplacement(host)).toBe('kept');
    await releaseVolume(host);
  });

  it('are measured, as `kubectl top nodes` shows', async () => {
    const host = running();
    expect(await nodesWithUsage(host)).toEqual((await nodesOf(host)).map(({ name }) => name).sort());
  });

  it('are deleted with the cluster completely', async () => {
    expect(await deleteCluster(running())).toEqual([]);
  });
});
