import { Scope, silentLogger, systemClock } from '@slipway/base';
import { connectionOf, createHttpClient, namespaces, parseKubeconfig, secrets } from '@slipway/runtime';
import { makeSimulatedTemplate } from '@slipway/simulators';
import { SessionPool } from '@slipway/vsphere';
import { namespace, ObjectEnvironment } from '../../packages/vsphere/test/support/object-environment.js';
import { startOnKubernetes } from '../clusters/management.js';
import { freePorts } from '../support/peer-process.js';
import { startVcsim } from '../support/vcsim.js';
import { supervisorCase, vcenterCase } from './cluster-cases.js';
import { lifeOfClusters } from './life-of-clusters.js';
import { password, templateName } from './vcenter-environment.js';

lifeOfClusters('clusters of both modes by slipway manager on kube-apiserver', async () => {
  const scope = new Scope();
  const vcsim = await startVcsim('-username', 'admin', '-password', password, '-addresses', '10.20');
  scope.defer(() => vcsim.stop());
  const pool = scope.add(new SessionPool({ clock: systemClock, logger: silentLogger }));
  const session = pool.get({ server: vcsim.server, username: 'admin', password });
  await makeSimulatedTemplate(session, templateName);
  const management = await startOnKubernetes(
    '--simulate=vcenter,supervisor',
    '--network-provider=vsphere-network',
    '--feature-gates=NodeAntiAffinity=true',
  );
  scope.defer(() => management.stop());
  const objects = new ObjectEnvironment(management.client);
  const own = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await objects.create(namespaces, own);
  const [port = 0] = await freePorts(1);
  return {
    objects,
    session,
    server: vcsim.server,
    cases: [
      vcenterCase({ balancer: 'vip', addressing: 'dhcp', number: 1, endpoint: { host: '127.0.0.1', port } }),
      supervisorCase('supervised'),
    ],
    async workload(name) {
      const secret = await objects.client.get(secrets, { namespace, name: `${name}-kubeconfig` });
      const kubeconfig = Buffer.from(secret.data?.['value'] ?? '', 'base64').toString('utf8');
      const client = createHttpClient(connectionOf(parseKubeconfig(kubeconfig)));
      scope.defer(() => client.close());
      return client;
    },
    stopManager: () => management.stopManager(),
    stop: () => scope.dispose(),
  };
});
