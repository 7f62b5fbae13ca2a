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
      what: 'Cluster API itself is not installed: there is no clusters.cluster.x-k8s.io',
      remedy: '`slipway init`',
    },
    {
      area: 'orphans',
      severity: 'warning',
      what: 'it has no owner: no Machine wants it',
      where: machine,
      remedy: '`kubectl delete devmachine/demo-x7k2p -n default`, which removes the virtual machine',
    },
    {
      area: 'etcd',
      severity: 'info',
      what: 'one member: the loss of its machine is the loss of the cluster',
      where: { ...machine, kind: 'KubeadmControlPlane', name: 'demo' },
      remedy: 'three control-plane machines survive the loss of one',
    },
  ],
  well: ['versions', 'credentials', 'certificates', 'etcd'],
};

it.each([
  [80, 'plain', plainStyle],
  [80, 'coloured', colourStyle],
  [140, 'plain', plainStyle],
  [140, 'coloured', colourStyle],
] as const)('tells findings in %d columns, %s', async (width, name, style) => {
  await expect(reportText(report, { style, width })).toMatchFileSnapshot(`testdata/doctor-${width}-${name}.txt`);
});
