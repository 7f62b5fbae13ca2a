import { fileURLToPath } from 'node:url';
import { Scope, silentLogger, systemClock } from '@slipway/base';
import { connectionOf, createHttpClient, type HttpClient, loadKubeconfig } from '@slipway/runtime';
import { makeStandInTemplate, type ObjectRef, retrieveOne, SessionPool } from '@slipway/vsphere';
import { freePorts, type PeerProcess, startPeer } from '../../test/support/peer-process.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../../test/support/real-kube-apiserver.js';
import { installStockDefinitions, startUpstreamVSphere } from '../../test/support/upstream-cluster-api.js';
import { startVcsim } from '../../test/support/vcsim.js';

/** A vSphere manager that is measured, alone with a Kubernetes and a simulated vCenter. */
export interface Contender {
  readonly client: HttpClient;
  readonly server: string;
  readonly processIds: readonly number[];
  /** By the name of the SOAP method or the path, without those of the preparation. */
  calls(): Promise<Readonly<Record<string, number>>>;
  /** Sessions that the manager has with vCenter. */
  sessions(): Promise<number>;
  readonly log: () => string;
  stop(): Promise<void>;
}

export const account = { username: 'admin', password: 'secret' };
export const templateName = 'ubuntu-2404-kube-v1.35.0';
const bundle = fileURLToPath(new URL('../../packages/cli/dist/slipway.mjs', import.meta.url));

/** `slipway manager` with nothing but what the vSphere provider brings. */
export const startSlipway = (): Promise<Contender> =>
  start(async (server) => {
    const [port = 0] = await freePorts(1);
    const quiet = ['--diagnostics-address=0', '--health-addr=0', '--log-format=json'];
    const webhooks = ['--webhook-host=127.0.0.1', `--webhook-port=${port}`, `--webhook-url=https://127.0.0.1:${port}`];
    const where = [`--kubeconfig=${server.kubeconfigFile}`, '--leader-election-namespace=default', '--install-crds'];
    const what = ['--provider=infrastructure-vsphere'];
    const manager = startPeer(process.execPath, [bundle, 'manager', ...where, ...what, ...webhooks, ...quiet]);
    await manager.said(/"msg":"Manager started"/);
    return manager;
  });

export const startUpstream = (): Promise<Contender> => start(startUpstreamVSphere);

async function start(startManager: (server: RealKubeApiserver) => Promise<PeerProcess>): Promise<Contender> {
  const scope = new Scope();
  try {
    const login = ['-username', account.username, '-password', account.password];
    const vcsim = await startVcsim(...login, '-addresses', '10.20');
    scope.defer(() => vcsim.stop());
    const sessions = scope.add(new SessionPool({ clock: systemClock, logger: silentLogger }));
    const session = sessions.get({ server: vcsim.server, ...account });
    await makeStandInTemplate(session, templateName);
    const kubernetes = await startRealKubeApiserver({ durable: false });
    scope.defer(() => kubernetes.stop());
    await installStockDefinitions(kubernetes);
    const manager = await startManager(kubernetes);
    scope.defer(() => manager.stop());
    const client = createHttpClient(connectionOf(loadKubeconfig({ file: kubernetes.kubeconfigFile, env: {} })));
    scope.defer(() => client.close());
    const before = await vcsim.calls();
    return {
      client,
      server: vcsim.server,
      processIds: [manager.pid],
      log: () => manager.log(),
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
