import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { managerCommandConformance } from '../../packages/cli/test/manager-conformance.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

managerCommandConformance('on kube-apiserver and etcd', async () => {
  const server = await startRealKubeApiserver();
  const client = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
  return {
    client,
    kubeconfig: server.kubeconfig,
    async stop() {
      client.close();
      await server.stop();
    },
  };
});
