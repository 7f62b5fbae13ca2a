import { Scope } from '@slipway/base';
import { startUpstreamClusterApi } from '../../test/support/upstream-cluster-api.js';
import { type Contender, openContender } from './slipway.js';

/** Starts upstream's managers, kube-apiserver and etcd. Like Slipway, etcd flushes every write to disk. */
export async function startUpstream(): Promise<Contender> {
  const scope = new Scope();
  const upstream = await startUpstreamClusterApi({ durable: true });
  scope.defer(() => upstream.stop());
  return openContender(scope, upstream.server.kubeconfigFile, upstream.processIds);
}
