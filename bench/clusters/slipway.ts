import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Scope } from '@slipway/base';
import { connectionOf, createHttpClient, type HttpClient, loadKubeconfig } from '@slipway/runtime';
import { startPlane } from '../../packages/cli/test/support/command.js';

/** One of the management planes that are compared. */
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
  return openContender(scope, plane.kubeconfig, [plane.pid]);
}

export function openContender(scope: Scope, kubeconfig: string, processIds: readonly number[]): Contender {
  const client = createHttpClient(connectionOf(loadKubeconfig({ file: kubeconfig, env: {} })));
  scope.defer(() => client.close());
  return { client, processIds, stop: () => scope.dispose() };
}
