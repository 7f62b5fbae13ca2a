import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { restartConformance } from '../../packages/plane/test/informer-conformance.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

restartConformance('over HTTPS, on kube-apiserver and etcd', async () => {
  const server = await startRealKubeApiserver();
  const client = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
  return {
    client,
    restart: () => server.restart(),
    async stop() {
      client.close();
      await server.stop();
    },
  };
});
