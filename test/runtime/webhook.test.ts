import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { webhookConformance } from '../../packages/plane/test/webhook-conformance.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

webhookConformance('of kube-apiserver and etcd', async () => {
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
