import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { managerConformance } from '../../packages/plane/test/manager-conformance.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

managerConformance('over HTTPS, on kube-apiserver and etcd', async () => {
  const server = await startRealKubeApiserver();
  const client = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
  return {
    client,
    async stop() {
      client.close();
      await server.stop();
    },
  };
});
