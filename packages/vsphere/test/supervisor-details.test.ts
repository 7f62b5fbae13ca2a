import { clusters, machineDeployments } from '@slipway/cluster-api';
import { toCustomResourceDefinition } from '@slipway/kube';
import { customResourceDefinitions, persistentVolumeClaims } from '@slipway/runtime';
import { createSimulatedSupervisor } from '@slipway/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  supervisorClusters,
  supervisorKinds,
  supervisorMachines,
  supervisorMachineTemplates,
  virtualMachines,
  vsphereMachines,
} from '../src/index.js';
import { vcenterKinds, virtualMachineGroups, zones } from '../src/api/index.js';
import { createCluster, offer } from './support/supervisor-manifests.js';
import { conditionOf, namespace } from './support/object-environment.js';
import type { PlaneEnvironment } from './support/plane-environment.js';
import { startSupervisorEnvironment } from './support/supervisor-environment.js';

const name = 'prod';
const machineSpec = { imageName: 'ubuntu', className: 'best-effort-small' };
const machineObject = (machineName: string, more: object = {}): object => ({
  apiVersion: 'vmware.infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'VSphereMachine',
  metadata: { name: machineName, namespace, ...more },
  spec: machineSpec,
});

describe('a Supervisor that places workers by group', () => {
  let environment: PlaneEnvironment;
  beforeAll(async () => {
    environment = await startSupervisorEnvironment({
      networkProvider: 'VPC',
      featureGates: ['NamespaceScopedZones', 'NodeAutoPlacement'],
    });
    await offer(environment);
    await environment.create(zones, {
      apiVersion: 'topology.tanzu.vmware.com/v1alpha1',
      kind: 'Zone',
      metadata: { name: 'zone-1', namespace },
    });
    await createCluster(environment, {
      name,
      workers: 2,
      machine: { volumes: [{ name: 'containerd', capacity: { storage: '20Gi' } }] },
    });
    await environment.untilOne(clusters, name, (one) => conditionOf(one, 'Available')?.status === 'True');
  });
  afterAll(() => environment.stop());

  it('lists all workers in one VirtualMachineGroup before it creates them', async () => {
    const group = await environment.get(virtualMachineGroups, name);
    const vms = await environment.list(virtualMachines);
    const workers = vms.filter(({ spec }) => spec?.groupName === name).map(({ metadata }) => metadata.name ?? '');
    expect(group.spec?.bootOrder?.[0]?.members?.map((member) => member.name)).toEqual(workers.sort());
    expect(workers).toHaveLength(2);
    expect(group.metadata.annotations).toMatchObject({
      [`zone.vmware.infrastructure.cluster.x-k8s.io/${name}-md-0`]: 'zone-1',
    });
    expect(vms.filter(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone'] === 'zone-1')).toHaveLength(3);
  });

  it('reports the zones of the cluster', async () => {
    const { status } = await environment.get(supervisorClusters, name);
    expect(status?.failureDomains).toEqual([{ name: 'zone-1', controlPlane: true }]);
  });

  it('creates a claim for each disk of each machine', async () => {
    const claims = await environment.list(persistentVolumeClaims);
    expect(claims).toHaveLength(3);
    expect(claims[0]?.spec).toMatchObject({ accessModes: ['ReadWriteOnce'], storageClassName: 'gold' });
  });

  it('reports the capacity and node info of a machine template', async () => {
    const template = await environment.untilOne(
      supervisorMachineTemplates,
      name,
      (one) => one.status?.capacity?.['memory'] === '4Gi',
    );
    expect(template.status?.capacity).toEqual({ cpu: '2', memory: '4Gi' });
  });

  it('keeps fields that other clients set on a VirtualMachine [vsphere 51]', async () => {
    const [vm] = await environment.list(virtualMachines);
    const vmName = vm?.metadata.name ?? '';
    await environment.merge(virtualMachines, vmName, {
      spec: { advanced: { bootDiskCapacity: '40Gi' }, className: 'huge' },
    });
    // Scale up as well, so that the controllers reconcile the cluster after the change.
    await environment.merge(machineDeployments, `${name}-md-0`, { spec: { replicas: 3 } });
    await environment.untilOne(machineDeployments, `${name}-md-0`, (one) => one.status?.readyReplicas === 3);
    const { spec } = await environment.get(virtualMachines, vmName);
    expect(spec).toMatchObject({ advanced: { bootDiskCapacity: '40Gi' }, className: 'huge', powerState: 'PoweredOn' });
  });

  it('adds the finalizer to a machine once it has an owner, and deletes a machine without owner [vsphere 41]', async () => {
    await environment.create(supervisorMachines, machineObject('orphan'));
    await environment.create(
      supervisorMachines,
      machineObject('held', { finalizers: ['vspheremachine.infrastructure.cluster.x-k8s.io'] }),
    );
    await environment.client.delete(supervisorMachines, { namespace, name: 'held' });
    await environment.untilNone(supervisorMachines, 'held');
    expect((await environment.get(supervisorMachines, 'orphan')).metadata.finalizers ?? []).toEqual([]);
  });

  it('neither adopts nor deletes a VirtualMachine with another owner [vsphere 7]', async () => {
    await environment.create(virtualMachines, {
      apiVersion: 'vmoperator.vmware.com/v1alpha5',
      kind: 'VirtualMachine',
      metadata: { name: 'abc-taken', namespace },
      spec: { className: 'best-effort-small' },
    });
    const naming = { template: '{{ .machine.name | trunc 3 }}-taken' };
    await createCluster(environment, { name: 'abc', workers: 0, machine: { naming } });
    const stuck = await environment.until(supervisorMachines, (found) =>
      found.find((one) =>
        conditionOf(one, 'VirtualMachineProvisioned')?.message.includes('exists and has another owner'),
      ),
    );
    expect(conditionOf(stuck, 'VirtualMachineProvisioned')).toMatchObject({
      status: 'False',
      reason: 'NotProvisioned',
    });
    await environment.client.delete(clusters, { namespace, name: 'abc' });
    await environment.untilNone(clusters, 'abc');
    const { metadata } = await environment.get(virtualMachines, 'abc-taken');
    expect([metadata.ownerReferences, metadata.deletionTimestamp]).toEqual([undefined, undefined]);
  });
});

describe('modes', () => {
  let environment: PlaneEnvironment;
  beforeAll(async () => {
    environment = await startSupervisorEnvironment({ networkProvider: 'NSX', supervisor: 'none', kinds: vcenterKinds });
  });
  afterAll(() => environment.stop());

  it('starts the Supervisor controllers once the CRDs of their group are installed', async () => {
    for (const kind of supervisorKinds)
      await environment.client.create(customResourceDefinitions, toCustomResourceDefinition(kind));
    await environment.until(customResourceDefinitions, (found) =>
      found.some(
        ({ metadata, status }) =>
          metadata.name === 'providerserviceaccounts.vmware.infrastructure.cluster.x-k8s.io' &&
          status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True'),
      ),
    );
    await environment.start([createSimulatedSupervisor({ guests: environment.dev.guests })]);
    await offer(environment);
    await createCluster(environment, { name, workers: 0 });
    const cluster = await environment.untilOne(
      clusters,
      name,
      (one) => conditionOf(one, 'InfrastructureReady')?.status === 'True',
    );
    expect(cluster.spec.controlPlaneEndpoint?.port).toBe(6443);
  });

  it('ignores machines of the same name in the other API group [vsphere 60]', async () => {
    await environment.create(vsphereMachines, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'VSphereMachine',
      metadata: { name: 'twin', namespace },
      spec: { template: 't', network: { devices: [] } },
    });
    await environment.create(supervisorMachines, machineObject('twin'));
    await environment.client.delete(supervisorMachines, { namespace, name: 'twin' });
    await environment.untilNone(supervisorMachines, 'twin');
    const other = await environment.get(vsphereMachines, 'twin');
    expect(other.status).toBeUndefined();
  });
});
