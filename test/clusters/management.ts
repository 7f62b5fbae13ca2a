import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import {
  connectionOf,
  createHttpClient,
  type HttpClient,
  InformerFactory,
  type InformerView,
  loadKubeconfig,
  type Resource,
} from '@slipway/runtime';
import { killPlanes, startPlane } from '../../packages/cli/test/support/command.js';
import { freePorts, peerBinary, startPeer } from '../support/peer-process.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { startUpstreamClusterApi } from '../support/upstream-cluster-api.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

/** A management plane with the client programs of its users. */
export interface Management {
  readonly client: HttpClient;
  readonly kubeconfig: string;
  /** Runs kubectl. Throws with the output if the command fails. */
  kubectl(args: readonly string[], options?: { readonly input?: string }): Promise<string>;
  run(program: string, args: readonly string[], input?: string): Promise<CommandResult>;
  /**
   * Returns the first truthy result of a check on a cache that watches the server. A timeout reports the state of all clusters.
   */
  until<T extends KubeObject, R>(
    what: string,
    resource: Resource<T>,
    check: (view: InformerView<T>) => R | undefined | false | null,
    limitMs?: number,
  ): Promise<NonNullable<R>>;
  /** Stops only the controllers, if they run in a separate process. */
  stopManager(): Promise<void>;
  stop(): Promise<void>;
}

const timeoutMs = 180_000;

/** Starts `slipway up` in a separate process. */
export async function startEmbedded(...flags: readonly string[]): Promise<Management> {
  const scope = new Scope();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-clusters-'));
  // The process may still write until it has exited.
  scope.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  scope.defer(() => killPlanes());
  const plane = await startPlane(folder, ...flags);
  return open(scope, plane.kubeconfig, () => plane.log.join('\n'));
}

/** Starts kube-apiserver, etcd and kube-controller-manager, and `slipway manager` with them. */
export async function startOnKubernetes(...flags: readonly string[]): Promise<Management> {
  const scope = new Scope();
  const server = await startRealKubeApiserver({ controllerManager: true });
  scope.defer(() => server.stop());
  const [port = 0] = await freePorts(1);
  const args = ['--install-crds', '--diagnostics-address=0', '--health-addr=0', '--webhook-host=127.0.0.1'];
  const webhooks = [`--webhook-port=${port}`, `--webhook-url=https://127.0.0.1:${port}`];
  const at = [`--kubeconfig=${server.kubeconfigFile}`, '--leader-election-namespace=default', '--log-format=json'];
  const manager = startPeer(process.execPath, [installedSlipway, 'manager', ...args, ...webhooks, ...at, ...flags]);
  scope.defer(() => manager.stop());
  await manager.said(/"msg":"Manager started"/, timeoutMs);
  return open(
    scope,
    server.kubeconfigFile,
    () => manager.log(),
    () => manager.stop(),
  );
}

/** Starts upstream's managers on kube-apiserver, for comparison. */
export async function startUpstream(featureGates?: string): Promise<Management> {
  const scope = new Scope();
  const upstream = await startUpstreamClusterApi(featureGates === undefined ? {} : { featureGates });
  scope.defer(() => upstream.stop());
  return open(scope, upstream.server.kubeconfigFile, upstream.log);
}

function open(
  scope: Scope,
  kubeconfig: string,
  log: () => string,
  stopManager: () => Promise<void> = () => scope.dispose(),
): Management {
  const client = createHttpClient(connectionOf(loadKubeconfig({ file: kubeconfig, env: {} })));
  scope.defer(() => client.close());
  const informers = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  scope.add(informers);
  // Use a separate cache: kubectl caches discovery by address, which another server may have used before.
  const env = { KUBECONFIG: kubeconfig, KUBECACHEDIR: join(dirname(kubeconfig), 'kubectl-cache') };
  const run = (program: string, args: readonly string[], input?: string): Promise<CommandResult> =>
    runCommand(peerBinary(program), args, { env, ...(input !== undefined && { input }) });
  const kubectl = async (args: readonly string[], options: { readonly input?: string } = {}): Promise<string> => {
    const { code, stdout, stderr } = await run('kubectl', args, options.input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  return {
    client,
    kubeconfig,
    kubectl,
    run,
    async until(what, resource, check, limitMs = timeoutMs) {
      const signal = AbortSignal.timeout(limitMs);
      try {
        return await informers.informer(resource).waitFor(check, { signal });
      } catch (error) {
        const state = await run('kubectl', ['get', 'cluster-api', '-A', '-o', 'wide']);
        const why = await run('clusterctl', ['describe', 'cluster', 'quick-start', '--show-conditions=all']);
        const tail = log().split('\n').slice(-40).join('\n');
        throw new Error(`not within ${limitMs} ms: ${what}\n${state.stdout}\n${why.stdout}${why.stderr}\n${tail}`, {
          cause: error,
        });
      }
    },
    stopManager,
    stop: () => scope.dispose(),
  };
}
