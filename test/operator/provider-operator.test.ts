import { connectionOf, parseKubeconfig } from '@slipway/runtime';
import { operatorConformance } from '../../packages/operator/test/operator-conformance.js';
import { operatorFaultsConformance } from '../../packages/operator/test/operator-faults-conformance.js';
import { type OperatorUnderTest, startOperator } from '../../packages/operator/test/operator-under-test.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

async function start(): Promise<OperatorUnderTest> {
  const server = await startRealKubeApiserver();
  return startOperator(connectionOf(parseKubeconfig(server.kubeconfig)), { stop: () => server.stop() });
}

operatorConformance('on kube-apiserver and etcd', start);
operatorFaultsConformance('on kube-apiserver and etcd', start);
