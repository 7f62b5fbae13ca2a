import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { clientConformance } from '../../packages/plane/test/client-conformance.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

clientConformance('over HTTPS, on kube-apiserver and etcd', async () => {
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
