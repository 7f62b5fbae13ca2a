import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isConditionTrue } from '@slipway/runtime';
import { operatorNamespace, vsphereCloudConfigs } from '@slipway/drivers';
import { startVcsim, type Vcsim } from '../support/vcsim.js';
import { OperatorOnKubernetes, untilObject } from './operator-process.js';

const password = 'v&ry "secret" \\ #;%';

describe('the operator on kube-apiserver, under exactly its own role', () => {
  let kubernetes: OperatorOnKubernetes;
  let vcsim: Vcsim;
  beforeAll(async () => {
    [kubernetes, vcsim] = await Promise.all([
      OperatorOnKubernetes.start(),
      startVcsim('-username', 'vdo', '-password', password),
    ]);
    const { stage } = kubernetes;
    await stage.addNodes(2);
    await stage.secret('vc-creds', 'vdo@vsphere.local', password);
    await kubernetes.startOperator();
  });
  afterAll(async () => {
    await kubernetes.stop();
    await vcsim.stop();
  });

  it('drivers 28: installs both drivers, and is refused nothing', async () => {
    const { stage, client } = kubernetes;
    const [host = '', port = ''] = vcsim.server.split(':');
    await stage.connection('vc', { vcIp: host, port: Number(port), insecure: true, credentials: 'vc-creds' });
    const connection = await untilObject(
      client,
      vsphereCloudConfigs,
      { namespace: operatorNamespace, name: 'vc' },
      (each) => each.status?.config !== undefined,
    );
    expect(connection.status).toMatchObject({ config: 'verified', apiVersion: '8.0.3', user: 'vdo@vsphere.local' });
    await stage.vdoConfig({ cloudProvider: {}, storageProvider: {} });
    await kubernetes.until((config) => (config.status?.storageProvider?.workloads ?? []).length > 0);
    await stage.initializeNodes();
    const ready = await kubernetes.until(
      (config) => isConditionTrue(config, 'Ready'),
      () => stage.settleWorkloads(),
    );
    expect(ready.status).toMatchObject({
      summary: 'Healthy',
      cloudProvider: { installedVersion: '1.36.0' },
      storageProvider: { installedVersion: '3.8.0' },
    });
    expect(kubernetes.refused).toEqual([]);
  });
});
