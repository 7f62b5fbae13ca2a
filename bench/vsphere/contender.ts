import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Scope, silentLogger, systemClock } from '@slipway/base';
import { connectionOf, createHttpClient, type HttpClient, loadKubeconfig } from '@slipway/runtime';
import { makeSimulatedTemplate } from '@slipway/simulators';
import { type ObjectRef, retrieveOne, SessionPool } from '@slipway/vsphere';
import { startPlane } from '../../packages/cli/test/support/command.js';
import { freePorts, type PeerProcess, startPeer } from '../../test/support/peer-process.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../../test/support/real-kube-apiserver.js';
import { installStockDefinitions, startUpstreamVSphere } from '../../test/support/upstream-cluster-api.js';
import { startVcsim } from '../../test/support/vcsim.js';

/** A vSphere manager under test, with its own Kubernetes API server and simulated vCenter. */
export interface Contender {
  readonly client: HttpClient;
  readonly server: string;
  /** PIDs of the manager. The next field has the PIDs of all processes, including the API server and its store. */
  readonly managerIds: readonly number[];
  readonly sideIds: readonly number[];
  /** Returns the number of calls to vCenter by SOAP method or path, without those made during setup. */
  calls(): Promise<Readonly<Record<string, number>>>;
  /** Returns the number of sessions that the manager has with vCenter. */
  sessions(): Promise<number>;
  readonly log: () => string;
  stop(): Promise<void>;
}

export const account = { username: 'admin', password: 'secret' };
export const templateName = 'ubuntu-2404-kube-v1.35.0';
const bundle = fileURLToPath(new URL('../../packages/cli/dist/slipway.mjs', import.meta.url));

interface Running {
  readonly kubeconfig: string;
  readonly managerIds: readonly number[];
  readonly sideIds: readonly number[];
  readonly log: () => string;
}

/** Starts `slipway manager` with only the vSphere provider. */
export const startSlipway = (): Promise<Contender> =>
  start((scope) =>
    startWithKubernetes(scope, async (server) => {
      const [port = 0] = await freePorts(1);
      const quiet = ['--diagnostics-address=0', '--health-addr=0', '--log-format=json'];
      const webhooks = [
        '--webhook-host=127.0.0.1',
        `--webhook-port=${port}`,
        `--webhook-url=https://127.0.0.1:${port}`,
      ];
      const where = [`--kubeconfig=${server.kubeconfigFile}`, '--leader-election-namespace=default', '--install-crds'];
      const selection = ['--provider=infrastructure-vsphere'];
      const manager = startPeer(process.execPath, [bundle, 'manager', ...where, ...selection, ...webhooks, ...quiet]);
      await manager.said(/"msg":"Manager started"/);
      return manager;
    }),
  );

/** Starts `slipway up`, which runs the API server and all other controllers in the same process. */
export const startEmbedded = (): Promise<Contender> =>
  start(async (scope) => {
    const folder = mkdtempSync(`${tmpdir()}/bench-vsphere-`);
    scope.defer(() => rmSync(folder, { recursive: true, force: true }));
    const plane = await startPlane(folder);
    scope.defer(async () => {
      plane.child.kill('SIGTERM');
      await plane.exited;
    });
    const { pid, kubeconfig, log } = plane;
    return { kubeconfig, managerIds: [pid], sideIds: [pid], log: () => log.join('\n') };
  });

export const startUpstream = (): Promise<Contender> =>
  start((scope) => startWithKubernetes(scope, startUpstreamVSphere));

/** Starts a contender with kube-apiserver and etcd, which flushes every write to disk, as `slipway up` does. */
async function startWithKubernetes(
  scope: Scope,
  startManager: (server: RealKubeApiserver) => Promise<PeerProcess>,
): Promise<Running> {
  const kubernetes = await startRealKubeApiserver({ durable: true });
  scope.defer(() => kubernetes.stop());
  await installStockDefinitions(kubernetes);
  const manager = await startManager(kubernetes);
  scope.defer(() => manager.stop());
  const managerIds = [manager.pid];
  return {
    kubeconfig: kubernetes.kubeconfigFile,
    managerIds,
    sideIds: [...managerIds, ...kubernetes.processIds],
    log: () => manager.log(),
  };
}

async function start(run: (scope: Scope) => Promise<Running>): Promise<Contender> {
  const scope = new Scope();
  try {
    const login = ['-username', account.username, '-password', account.password];
    const vcsim = await startVcsim(...login, '-addresses', '10.20');
    scope.defer(() => vcsim.stop());
    const sessions = scope.add(new SessionPool({ clock: systemClock, logger: silentLogger }));
    const session = sessions.get({ server: vcsim.server, ...account });
    await makeSimulatedTemplate(session, templateName);
    const { kubeconfig, managerIds, sideIds, log } = await run(scope);
    const client = createHttpClient(connectionOf(loadKubeconfig({ file: kubeconfig, env: {} })));
    scope.defer(() => client.close());
    const before = await vcsim.calls();
    return {
      client,
      server: vcsim.server,
      managerIds,
      sideIds,
      log,
      async calls() {
        const now = Object.entries(await vcsim.calls());
        return Object.fromEntries(now.map(([name, count]) => [name, count - (before[name] ?? 0)]));
      },
      async sessions() {
        const { sessionManager } = await session.soap.content();
        const { sessionList = [] } = await retrieveOne(session.soap, sessionManager as ObjectRef, ['sessionList']);
        return sessionList.length - 1;
      },
      stop: () => scope.dispose(),
    };
  } catch (error) {
    await scope.dispose();
    throw error;
  }
}
