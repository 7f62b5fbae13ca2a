import { secrets } from '@slipway/runtime';
import { offer } from '../../packages/vsphere/test/support/supervisor-manifests.js';
import { type Addressing, type Balancer, supervisorCase, vcenterCase } from './cluster-cases.js';
import { lifeOfClusters } from './life-of-clusters.js';
import { addressPrefix, namespace, VCenterEnvironment } from './vcenter-environment.js';

const balancers: readonly Balancer[] = ['vip', 'given', 'nsx', 'haproxy'];
const addressings: readonly Addressing[] = ['dhcp', 'static', 'ipam'];

// Every load balancer with every address source, and every network of a Supervisor.
const cases = [
  ...balancers
    .flatMap((balancer) => addressings.map((addressing) => ({ balancer, addressing })))
    .map((options, index) => {
      const { balancer, addressing } = options;
      // True once for each load balancer and each address source.
      const growsControlPlane = balancers.indexOf(balancer) % addressings.length === addressings.indexOf(addressing);
      return vcenterCase({ ...options, number: index + 1, growsControlPlane });
    }),
  supervisorCase('distributed', 'VSphereDistributed'),
  supervisorCase('tier1', 'NSXTier1'),
  supervisorCase('vpc', 'VPC'),
];

lifeOfClusters('clusters of both modes on the embedded plane', async () => {
  const environment = await VCenterEnvironment.start({
    whole: true,
    supervisor: '',
    featureGates: ['NodeAntiAffinity', 'ClusterNetworkProvider'],
    vcsim: ['-addresses', addressPrefix, '-nsx', '1'],
  });
  await offer(environment);
  return {
    objects: environment,
    session: environment.session,
    server: environment.vcsim.server,
    cases,
    async workload(name) {
      const secret = await environment.client.get(secrets, { namespace, name: `${name}-kubeconfig` });
      const kubeconfig = Buffer.from(secret.data?.['value'] ?? '', 'base64').toString('utf8');
      // No port is opened: clusters are reached in process.
      const client = environment.dev.connect(kubeconfig, { namespace, name });
      if (client === undefined) throw new Error(`${name} cannot be reached`);
      return client;
    },
    stopManager: () => environment.stopControllers(),
    stop: () => environment.stop(),
  };
});
