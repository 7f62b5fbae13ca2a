import { connectionOf, parseKubeconfig } from '@slipway/runtime';
import { serveByWebhook } from '../../packages/dev/test/kinds-by-webhook.js';
import { kindsConformance } from '../../packages/dev/test/kinds-conformance.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

kindsConformance('by webhook on kube-apiserver and etcd', async () => {
  const server = await startRealKubeApiserver();
  return serveByWebhook(connectionOf(parseKubeconfig(server.kubeconfig)), () => server.stop());
});
