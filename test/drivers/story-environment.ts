import { silentLogger, systemClock } from '@slipway/base';
import {
  compatibilityConfigs,
  makeBundle,
  openSession,
  operatorNamespace,
  type VdoConfig,
  vdoConfigs,
  type VsphereCloudConfig,
  vsphereCloudConfigs,
} from '@slipway/drivers';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  configMaps,
  getCondition,
  ifPresent,
  isConditionTrue,
  nodes,
  type ObjectKey,
  pods,
  type Resource,
} from '@slipway/runtime';
import { Finder, retrieveAll, SessionPool, type VimSession } from '@slipway/vsphere';
import type { SimulatedCluster } from '../../packages/drivers/test/support/simulated-cluster.js';
import { freePorts } from '../support/peer-process.js';
import { startVcsim, type Vcsim } from '../support/vcsim.js';
import { type AdministeredServer, OperatorOnServer, untilObject } from './operator-process.js';

export const password = 'v&ry "secret" \\ #;%';
export const vdoKey = { namespace: operatorNamespace, name: 'vdo' };
export const cpiKey = { namespace: 'kube-system', name: 'vsphere-cloud-controller-manager' };
export const csiKey = { namespace: 'vmware-system-csi', name: 'vsphere-csi-controller' };
export const nodeKey = { namespace: 'vmware-system-csi', name: 'vsphere-csi-node' };
const matrixKey = { namespace: operatorNamespace, name: 'compat-matrix-config' };

export function templateOf(driver: 'cpi' | 'csi', version: string): string {
  const files = makeBundle({ cpi: [], csi: [], [driver]: [version] });
  return files.find(({ name }) => name.startsWith(`${driver}/`))?.text ?? '';
}

/** Returns a compatibility matrix that matches every cluster of these tests, with overrides. */
export function matrixOf(csi: Readonly<Record<string, object>>): string {
  const row = { vSphere: { min: '7.0.2', max: '9.99' }, k8s: { min: '1.30', max: '1.40' } };
  const entries = Object.entries(csi).map(([version, more]) => [
    version,
    { ...row, deploymentPath: [`bundle://csi/${version}.yaml`], ...more },
  ]);
  return JSON.stringify({
    revision: Object.keys(csi).join('+'),
    CPI: { '1.36.0': { ...row, deploymentPath: ['bundle://cpi/1.36.0.yaml'] } },
    CSI: Object.fromEntries(entries),
  });
}

/** A server with the operator and two nodes, and a vCenter with their machines. */
export class StoryEnvironment {
  private constructor(
    readonly on: OperatorOnServer,
    public vcsim: Vcsim,
    private sessions: SessionPool,
  ) {}

  static async open(start: () => Promise<AdministeredServer>): Promise<StoryEnvironment> {
    // Do not use an ephemeral port: another process could get it while the simulator is stopped.
    const [port] = await freePorts(1);
    const [server, vcsim] = await Promise.all([start(), startVcsim(...accountFlags, '-l', `127.0.0.1:${port}`)]);
    const sessions = new SessionPool({ clock: systemClock, logger: silentLogger });
    const on = await OperatorOnServer.start(server, await machinesOf(sessionOf(sessions, vcsim)));
    await on.environment.addNodes(2);
    await on.startOperator();
    return new StoryEnvironment(on, vcsim, sessions);
  }

  /** Replaces the simulator with a new one that has the initial inventory. */
  async startVCenter(): Promise<Vcsim> {
    this.vcsim = await startVcsim(...accountFlags, '-l', this.vcsim.server);
    this.sessions = new SessionPool({ clock: systemClock, logger: silentLogger });
    return this.vcsim;
  }

  get session(): VimSession {
    return sessionOf(this.sessions, this.vcsim);
  }

  get client(): Client {
    return this.on.client;
  }

  get environment(): SimulatedCluster {
    return this.on.environment;
  }

  async close(): Promise<void> {
    await this.on.stop();
    await this.sessions.dispose();
    await this.vcsim.stop();
  }

  until = <T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    check: (object: Frozen<T>) => boolean,
  ): Promise<Frozen<T>> => untilObject(this.client, resource, key, check);

  change(resource: unknown, name: string, patch: object): Promise<void> {
    return this.environment.merge(resource, { namespace: operatorNamespace, name }, patch);
  }

  connect(name: string, spec: Partial<NonNullable<VsphereCloudConfig['spec']>> = {}): Promise<void> {
    const [host = '', port = ''] = this.vcsim.server.split(':');
    return this.environment.connection(name, { vcIp: host, port: Number(port), ...spec });
  }

  connectionReports(name: string, reason: string): Promise<Frozen<VsphereCloudConfig>> {
    return this.until(
      vsphereCloudConfigs,
      { namespace: operatorNamespace, name },
      (each) =>
        getCondition(each, 'Ready')?.reason === reason && each.status?.observedGeneration === each.metadata.generation,
    );
  }

  /** Triggers a reconcile. Secrets are not watched, so the operator would otherwise notice a change only after a minute. */
  retryConnection(name: string): Promise<void> {
    const annotations = { 'vdo.vmware.com/retry': String(Math.random()) };
    return this.change(vsphereCloudConfigs, name, { metadata: { annotations } });
  }

  /** Changes the VDOConfig without an effect, to trigger a reconcile. */
  nudge(): Promise<void> {
    return this.change(vdoConfigs, 'vdo', { metadata: { annotations: { nudge: String(Math.random()) } } });
  }

  /** Simulates the cluster until the drivers are healthy. */
  healthy(also: (config: Frozen<VdoConfig>) => boolean = () => true): Promise<Frozen<VdoConfig>> {
    return this.on.until(
      (config) =>
        config.status?.observedGeneration === config.metadata.generation &&
        isConditionTrue(config, 'Ready') &&
        also(config),
      () => this.environment.settleWorkloads(),
    );
  }

  healthyAt(version: string): Promise<Frozen<VdoConfig>> {
    return this.healthy(({ status }) => status?.storageProvider?.installedVersion === version);
  }

  /** Simulates the cluster while the promise is pending. */
  async settling(wait: () => Promise<void>): Promise<void> {
    let isOver = false;
    const waiting = wait().finally(() => {
      isOver = true;
    });
    const playing = (async () => {
      // Complete each round: a round that is still running would interfere with the next simulation.
      while (!isOver) {
        await this.environment.settleWorkloads();
        await this.nudge();
      }
    })();
    await Promise.all([waiting, playing]);
  }

  setMatrix(text: string | undefined): Promise<void> {
    return this.setMatrixData({ versionConfigContent: text ?? null, versionConfigURL: null });
  }

  setMatrixData(data: Readonly<Record<string, string | null>>): Promise<void> {
    return this.environment.merge(configMaps, matrixKey, { data });
  }

  async compatibility(spec: object | undefined): Promise<void> {
    await ifPresent(this.client.delete(compatibilityConfigs, matrixKey));
    if (spec === undefined) return;
    const metadata = { ...matrixKey };
    await this.client.create(compatibilityConfigs, {
      apiVersion: 'vdo.vmware.com/v1alpha1',
      kind: 'CompatibilityConfig',
      metadata,
      spec,
    });
  }

  async template(name: string, text: string): Promise<void> {
    await this.client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `template-${name}`, namespace: operatorNamespace },
      data: { 'template.yaml': text },
    });
  }

  templatePath(name: string): string {
    return `configmap://${operatorNamespace}/template-${name}/template.yaml`;
  }

  /** Creates a Pod of a workload that does not run. */
  async crash(name: string, workload: ObjectKey, reason: string, args: string, restartCount = 1): Promise<void> {
    const metadata = { name, namespace: workload.namespace, labels: { app: workload.name } };
    const container = { name: 'driver', image: 'driver' };
    await this.client.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { containers: [container], automountServiceAccountToken: false } as never,
    });
    const waiting = { reason, message: args };
    const status = { ...container, imageID: '', ready: false, restartCount, state: { waiting } };
    await this.environment.setStatus(pods, metadata, { containerStatuses: [status] });
  }

  async unlabel(name: string): Promise<void> {
    await this.environment.merge(
      nodes,
      { namespace: '', name },
      { metadata: { labels: { 'vdo.vmware.com/vdoconfig': null } } },
    );
  }
}

const accountFlags = ['-username', 'vdo', '-password', password];

function sessionOf(sessions: SessionPool, { server }: Vcsim): VimSession {
  const [host = '', port = ''] = server.split(':');
  const trust = { insecure: true, thumbprint: undefined, caBundle: undefined };
  return openSession(sessions, { server: host, port: Number(port), username: 'vdo@vsphere.local', password, ...trust });
}

/** Returns the IDs of the simulator's initial machines, which are the same in every instance. */
async function machinesOf({ soap }: VimSession): Promise<string[]> {
  const folder = await new Finder(soap, 'DC0').typedFolder('virtualMachine');
  const [found] = await retrieveAll(soap, [folder], ['childEntity']);
  const machines = await retrieveAll(soap, found?.values.childEntity ?? [], ['config.uuid']);
  return machines.flatMap(({ values }) => values['config.uuid'] ?? []).sort();
}
