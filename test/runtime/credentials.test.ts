import { connectionOf, parseKubeconfig } from '@slipway/runtime';
import { credentialConformance } from '../../packages/plane/test/credential-conformance.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

credentialConformance('on kube-apiserver and etcd', async () => {
  const server = await startRealKubeApiserver();
  return { connection: connectionOf(parseKubeconfig(server.kubeconfig)), stop: () => server.stop() };
});
