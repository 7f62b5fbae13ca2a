import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Scope } from '@slipway/base';
import { connectionOf, createHttpClient, type HttpClient, loadKubeconfig } from '@slipway/runtime';
import { startPlane } from '../../packages/cli/test/support/command.js';
import { startUpstreamClusterApi } from '../../test/support/upstream-cluster-api.js';

/** A management plane that is measured. */
export interface Contender {
  readonly client: HttpClient;
  readonly processIds: readonly number[];
  stop(): Promise<void>;
}

export async function startSlipway(): Promise<Contender> {
  const scope = new Scope();
  const folder = mkdtempSync(`${tmpdir()}/bench-clusters-`);
  scope.defer(() => rmSync(folder, { recursive: true, force: true }));
  const plane = await startPlane(folder);
  scope.defer(async () => {
    plane.child.kill('SIGTERM');
    await plane.exited;
  });
  return open(scope, plane.kubeconfig, [plane.pid]);
}

/** Upstream's managers, kube-apiserver and etcd; etcd flushes every write to disk, as we do. */
export async function startUpstream(): Promise<Contender> {
  const scope = new Scope();
  const upstream = await startUpstreamClusterApi({ durable: true });
  scope.defer(() => upstream.stop());
  return open(scope, upstream.server.kubeconfigFile, upstream.processIds);
}

function open(scope: Scope, kubeconfig: string, processIds: readonly number[]): Contender {
  const client = createHttpClient(connectionOf(loadKubeconfig({ file: kubeconfig, env: {} })));
  scope.defer(() => client.close());
  return { client, processIds, stop: () => scope.dispose() };
}
