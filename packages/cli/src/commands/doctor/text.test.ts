import type { Report } from '@slipway/insight';
import { expect, it } from 'vitest';
import { colourStyle, plainStyle } from '../../output/index.js';
import { reportText } from './text.js';

const machine = {
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'DevMachine',
  namespace: 'default',
  name: 'demo-x7k2p',
};

const report: Report = {
  diagnoses: [
    {
      area: 'providers',
      severity: 'error',
      what: 'Cluster API is not installed: the CustomResourceDefinition clusters.cluster.x-k8s.io does not exist',
      remedy: '`slipway init`',
    },
    {
      area: 'orphans',
      severity: 'warning',
      what: 'the object has no owner and no Machine references it',
      where: machine,
      remedy: '`kubectl delete devmachine/demo-x7k2p -n default`, which removes the virtual machine',
    },
    {
      area: 'etcd',
      severity: 'info',
      what: 'etcd has a single member: losing its machine means losing the cluster',
      where: { ...machine, kind: 'KubeadmControlPlane', name: 'demo' },
      remedy: 'use three control plane replicas to tolerate the loss of one machine',
    },
  ],
  well: ['versions', 'credentials', 'certificates', 'etcd'],
};

it.each([
  [80, 'plain', plainStyle],
  [80, 'coloured', colourStyle],
  [140, 'plain', plainStyle],
  [140, 'coloured', colourStyle],
] as const)('prints findings in %d columns, %s', async (width, name, style) => {
  await expect(reportText(report, { style, width })).toMatchFileSnapshot(`testdata/doctor-${width}-${name}.txt`);
});
