import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { leaderKillConformance } from '../../packages/plane/test/leader-kill-conformance.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

leaderKillConformance('on kube-apiserver and etcd', async () => {
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
