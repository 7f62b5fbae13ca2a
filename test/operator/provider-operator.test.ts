import { connectionOf, parseKubeconfig } from '@slipway/runtime';
import { operatorConformance } from '../../packages/operator/test/operator-conformance.js';
import { startOperator } from '../../packages/operator/test/operator-under-test.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

operatorConformance('on kube-apiserver and etcd', async () => {
  const server = await startRealKubeApiserver();
  const operator = await startOperator(connectionOf(parseKubeconfig(server.kubeconfig)));
  return {
    ...operator,
    async stop() {
      await operator.stop();
      await server.stop();
    },
  };
});
