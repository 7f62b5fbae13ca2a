import { clusters, labels, machineDeployments, machineHealthChecks, machines } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { kubeadmControlPlanes } from '@slipway/kubeadm';
import {
  type Conditioned,
  connectionOf,
  createHttpClient,
  type HttpClient,
  isConditionTrue,
  nodes,
  parseKubeconfig,
  type Resource,
  secrets,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Management } from './management.js';

const namespace = 'default';
const name = 'quick-start';
const key = { namespace, name };
const manifest = (file: string): string => new URL(`../../docs/samples/${file}`, import.meta.url).pathname;

/** How a user changes the cluster: through its control plane and MachineDeployment, or through its topology. */
export interface Handles {
  readonly manifest: string;
  deployment(management: Management): Promise<string>;
  controlPlane(management: Management): Promise<string>;
  scaleControlPlane(management: Management, replicas: number): Promise<void>;
  scaleWorkers(management: Management, replicas: number): Promise<void>;
  upgrade(management: Management, version: string): Promise<void>;
}

/** Tests the lifecycle of a cluster from its manifest: create, scale, upgrade, remediate, rotate and delete. */
export function lifeOfACluster(title: string, start: () => Promise<Management>, handles: Handles): void {
  describe(`${title}`, () => {
    let management: Management;
    let workload: HttpClient;

    beforeAll(async () => {
      management = await start();
      await management.kubectl(['apply', '-f', manifest(handles.manifest)]);
    });

    afterAll(async () => {
      workload?.close();
      await management?.stop();
    });

    const clusterIs = (what: string, type: string, limitMs?: number) =>
      management.until(
        what,
        clusters,
        (view) => {
          const cluster = view.get(key);
          return cluster !== undefined && isConditionTrue(cluster as Conditioned, type) && cluster;
        },
        limitMs,
      );

    it('becomes available after kubectl apply', async () => {
      const cluster = await clusterIs('the cluster is Available', 'Available');
      expect(cluster.status?.phase).toBe('Provisioned');
      await machinesAre(management, { controlPlane: 1, workers: 2 });
      const secret = await management.client.get(secrets, { namespace, name: `${name}-kubeconfig` });
      const text = Buffer.from(secret.data?.['value'] ?? '', 'base64').toString('utf8');
      workload = createHttpClient(connectionOf(parseKubeconfig(text)));
      expect(await nodeVersions(workload)).toEqual(['v1.35.0', 'v1.35.0', 'v1.35.0']);
    });

    it('scales its control plane 1→3→1', async () => {
      await handles.scaleControlPlane(management, 3);
      await machinesAre(management, { controlPlane: 3, workers: 2 });
      expect(await nodeVersions(workload)).toHaveLength(5);
      await handles.scaleControlPlane(management, 1);
      await machinesAre(management, { controlPlane: 1, workers: 2 });
      expect(await nodeVersions(workload)).toHaveLength(3);
    });

    it('scales its workers 0→5→2', async () => {
      await handles.scaleWorkers(management, 0);
      await machinesAre(management, { controlPlane: 1, workers: 0 });
      await handles.scaleWorkers(management, 5);
      await machinesAre(management, { controlPlane: 1, workers: 5 });
      await handles.scaleWorkers(management, 2);
      await machinesAre(management, { controlPlane: 1, workers: 2 });
      expect(await nodeVersions(workload)).toHaveLength(3);
    });

    it('upgrades one minor version, control plane first', async () => {
      const before = new Set((await management.client.list(machines, { namespace })).items.map(uidOf));
      await handles.upgrade(management, 'v1.36.0');
      await management.until('all machines are of the new version', machines, (view) => {
        const all = view.list(namespace);
        return all.length === 3 && all.every((machine) => machine.spec.version === 'v1.36.0' && isReady(machine));
      });
      const after = (await management.client.list(machines, { namespace })).items;
      expect(after.filter((machine) => before.has(uidOf(machine)))).toEqual([]);
      expect(await nodeVersions(workload)).toEqual(['v1.36.0', 'v1.36.0', 'v1.36.0']);
      await clusterIs('the cluster is Available again', 'Available');
    });

    it('replaces a machine whose Node is unhealthy, using a MachineHealthCheck', async () => {
      const deployment = await handles.deployment(management);
      await management.client.create(machineHealthChecks, healthCheck(deployment));
      const [victim] = workersOf((await management.client.list(machines, { namespace })).items);
      const nodeName = victim?.status?.nodeRef?.name ?? '';
      await breakNode(workload, nodeName);
      await management.until('the broken machine is gone', machines, (view) => {
        const all = view.list(namespace);
        return all.length === 3 && all.every((machine) => uidOf(machine) !== uidOf(victim) && isReady(machine));
      });
      const left = (await workload.list(nodes)).items.map(({ metadata }) => metadata.name);
      expect(left).not.toContain(nodeName);
      await management.client.delete(machineHealthChecks, { namespace, name });
    });

    it('renews its kubeconfig before it expires', async () => {
      const held = { namespace, name: `${name}-kubeconfig` };
      const before = await management.client.get(secrets, held);
      await management.kubectl(['delete', 'secret', held.name]);
      const after = await management.until('there is a new kubeconfig', secrets, (view) => {
        const secret = view.get(held);
        return secret !== undefined && uidOf(secret) !== uidOf(before) && secret;
      });
      expect(after.data?.['value']).not.toBe(before.data?.['value']);
    });

    it('rotates the certificates of its control plane by a rollout', async () => {
      const before = new Set(controlPlanesOf((await management.client.list(machines, { namespace })).items).map(uidOf));
      const rollout = { spec: { rollout: { after: new Date().toISOString().replace(/\.\d+/, '') } } };
      const controlPlane = await handles.controlPlane(management);
      await management.kubectl(['patch', 'kcp', controlPlane, '--type=merge', '-p', JSON.stringify(rollout)]);
      const [fresh] = await management.until('the control plane machine is another one', machines, (view) => {
        const all = controlPlanesOf(view.list(namespace));
        const isRenewed = (machine: (typeof all)[number]): boolean =>
          !before.has(uidOf(machine)) && isReady(machine) && machine.status?.certificatesExpiryDate !== undefined;
        return all.length === 1 && all.every(isRenewed) && all;
      });
      expect(Date.parse(fresh?.status?.certificatesExpiryDate ?? '')).toBeGreaterThan(Date.now());
    });

    it('is displayed by clusterctl and kubectl like an upstream cluster', async () => {
      // Conditions and counters are written one after the other, so wait until all of them match.
      await expect
        .poll(async () => {
          const { stdout, stderr } = await management.run('clusterctl', ['describe', 'cluster', name]);
          expect(stderr).toBe('');
          return stdout;
        })
        .toMatch(
          /^Cluster default\/quick-start(, v1\.36\.0)? .*True +Available[^]*MachineDeployment default\/\S+, v1\.36\.0 +2\/2 +2 +2 +2 +True +Available/m,
        );
      const config = await management.run('clusterctl', ['get', 'kubeconfig', name]);
      expect(config.stdout).toContain('kind: Config');
      const listed = await management.kubectl(['get', 'cluster-api']);
      expect(listed).toContain(`cluster.cluster.x-k8s.io/${name}`);
      expect(listed).toContain('devcluster.infrastructure.cluster.x-k8s.io/');
    });

    it('is deleted completely', async () => {
      await management.kubectl(['delete', 'cluster', name, '--wait=false']);
      await management.until('the cluster is gone', clusters, (view) => view.get(key) === undefined);
      const kinds: readonly Resource[] = [machines, machineDeployments, kubeadmControlPlanes];
      for (const kind of kinds)
        expect((await management.client.list(kind, { namespace })).items.map(({ metadata }) => metadata.name)).toEqual(
          [],
        );
      await management.until(
        'the Secrets of the cluster are gone',
        secrets,
        (view) =>
          view.list(namespace).filter((each) => each.metadata.labels?.[labels.clusterName] === name).length === 0,
      );
    });
  });
}

/** Without a topology: the user changes the control plane and the MachineDeployment. */
export const plainHandles: Handles = {
  manifest: 'quick-start.yaml',
  deployment: async () => 'quick-start-workers',
  controlPlane: async () => name,
  async scaleControlPlane(management, replicas) {
    await management.kubectl(['scale', 'kcp', name, `--replicas=${replicas}`]);
  },
  async scaleWorkers(management, replicas) {
    await management.kubectl(['scale', 'machinedeployment', 'quick-start-workers', `--replicas=${replicas}`]);
  },
  async upgrade(management, version) {
    await patch(management, 'kcp', name, { spec: { version } });
    await management.until('the control plane is upgraded', kubeadmControlPlanes, (view) => {
      const { status } = view.get(key) ?? {};
      return status?.version === version && status.upToDateReplicas === 1 && status.replicas === 1;
    });
    await patch(management, 'machinedeployment', 'quick-start-workers', { spec: { template: { spec: { version } } } });
  },
};

/** With a topology: the user changes only the Cluster. */
export const topologyHandles: Handles = {
  manifest: 'quick-start-topology.yaml',
  deployment: (management) => nameOfOnly(management, machineDeployments),
  controlPlane: (management) => nameOfOnly(management, kubeadmControlPlanes),
  async scaleControlPlane(management, replicas) {
    await patch(management, 'cluster', name, { spec: { topology: { controlPlane: { replicas } } } });
  },
  async scaleWorkers(management, replicas) {
    const machineDeployments = [{ class: 'workers', name: 'workers', replicas }];
    await patch(management, 'cluster', name, { spec: { topology: { workers: { machineDeployments } } } });
  },
  async upgrade(management, version) {
    await patch(management, 'cluster', name, { spec: { topology: { version } } });
  },
};

async function nameOfOnly(management: Management, resource: Resource): Promise<string> {
  const { items } = await management.client.list(resource, { namespace });
  expect(items).toHaveLength(1);
  return items[0]?.metadata.name ?? '';
}

function patch(management: Management, kind: string, object: string, body: object): Promise<string> {
  return management.kubectl(['patch', kind, object, '--type=merge', '-p', JSON.stringify(body)]);
}

type Observed = Frozen<KubeObject>;

function uidOf(object: Pick<Observed, 'metadata'> | undefined): string {
  return object?.metadata.uid ?? '';
}

function isReady(machine: Observed): boolean {
  return isConditionTrue(machine as Conditioned, 'Ready') && machine.metadata.deletionTimestamp === undefined;
}

function controlPlanesOf<T extends Observed>(all: readonly T[]): T[] {
  return all.filter(({ metadata }) => metadata.labels?.[labels.controlPlane] !== undefined);
}

function workersOf<T extends Observed>(all: readonly T[]): T[] {
  return all.filter(({ metadata }) => metadata.labels?.[labels.controlPlane] === undefined);
}

async function machinesAre(
  management: Management,
  desired: { readonly controlPlane: number; readonly workers: number },
): Promise<void> {
  await management.until(`there are ${JSON.stringify(desired)} machines, all ready`, machines, (view) => {
    const all = view.list(namespace);
    const counts = [controlPlanesOf(all).length, workersOf(all).length];
    return counts[0] === desired.controlPlane && counts[1] === desired.workers && all.every(isReady);
  });
}

async function nodeVersions(workload: HttpClient): Promise<string[]> {
  const { items } = await workload.list(nodes);
  return items.map(({ status }) => status?.nodeInfo?.kubeletVersion ?? '').sort(compareTexts);
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : 1;
}

/** Sets the Node conditions of a kubelet that has stopped. */
async function breakNode(workload: HttpClient, nodeName: string): Promise<void> {
  const node = await workload.get(nodes, { namespace: '', name: nodeName });
  const conditions = (node.status?.conditions ?? []).map((each) =>
    each.type === 'Ready' ? { ...each, status: 'Unknown', reason: 'NodeStatusUnknown' } : each,
  );
  const body = { type: 'merge', patch: { status: { conditions } } } as const;
  await workload.patch(nodes, { namespace: '', name: nodeName }, body, { subresource: 'status' });
}

function healthCheck(deployment: string) {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2' as const,
    kind: 'MachineHealthCheck' as const,
    metadata: { name, namespace },
    spec: {
      clusterName: name,
      selector: { matchLabels: { [labels.deploymentName]: deployment } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown' as const, timeoutSeconds: 1 }] },
    },
  };
}
