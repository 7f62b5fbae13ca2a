import { systemClock } from '@slipway/base';
import { createEtcdCluster, type EtcdCluster } from '@slipway/kubeadm';
import { connectionOf, createHttpClient, type HttpClient, parseKubeconfig } from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DevPlane } from './dev-plane.js';

describe('ports of the pods of a simulated cluster, over HTTPS', () => {
  let plane: DevPlane;
  let client: HttpClient;

  beforeAll(async () => {
    plane = await DevPlane.start();
    const { kubeconfig } = await plane.startCluster('far');
    client = createHttpClient(connectionOf(parseKubeconfig(kubeconfig)));
  });
  afterAll(async () => {
    client.close();
    await plane.stop();
  });

  async function etcd(): Promise<EtcdCluster> {
    const credentials = await plane.etcdCredentials('far');
    const portForward = client.portForward.bind(client);
    return createEtcdCluster({ portForward, credentials, clock: systemClock });
  }

  it('connect to etcd', async () => {
    const { members, leader } = await (await etcd()).state(['far-cp-1']);
    expect(members.map(({ name }) => name)).toEqual(['far-cp-1']);
    expect(leader).toBe('far-cp-1');
  });

  it('are rejected for Pods that do not exist', async () => {
    await expect(client.portForward({ namespace: 'kube-system', name: 'etcd-none' }, 2379)).rejects.toMatchObject({
      code: 404,
      reason: 'NotFound',
    });
  });

  it('accept no connections except on etcd', async () => {
    const stream = await client.portForward({ namespace: 'kube-system', name: 'kube-scheduler-far-cp-1' }, 10_259);
    const failed = new Promise<Error>((resolve) => stream.once('error', resolve));
    stream.resume();
    const failure = await failed;
    expect(failure.message).toContain('connection refused');
  });
});
