import * as clusterApi from '@slipway/cluster-api';
import { type Cluster, clusters, type Machine, machines, nameOf } from '@slipway/cluster-api';
import { forbiddenField, formatTime, type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { defineKind, freeObject, optional } from '@slipway/kube/kit';
import {
  type Client,
  type Condition,
  type ConditionTarget,
  edit,
  getCondition,
  isDeleting,
  ownerReference,
  type Resource,
  resourceOf,
  setCondition,
} from '@slipway/runtime';
import { patchObject, startTestPlane, type TestPlane } from '@slipway/testing/plane';
import {
  createKubeadmControlPlaneController,
  kubeadmAdmission,
  kubeadmConfigs,
  kubeadmControlPlanes,
  kubeadmConversions,
  kubeadmKinds,
} from '../src/index.js';
import type { KubeadmControlPlane } from '../src/api/index.js';
import { SimulatedWorkload } from './simulated-workload.js';

/** How long a test waits in real time before it fails with the last observed state. */
const timeoutMs = 60_000;
const stepMs = 500;

export const namespace = 'default';
export const key = (name: string): { namespace: string; name: string } => ({ namespace, name });

const group = 'infrastructure.cluster.x-k8s.io';

function providerKind<K extends string>(kind: K) {
  return defineKind({
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced',
    labels: { 'cluster.x-k8s.io/v1beta2': 'v1' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { spec: optional(freeObject()), status: optional(freeObject()) },
        subresources: { status: true },
      },
    ],
  });
}

const testMachine = providerKind('TestMachine');
const testMachineTemplate = providerKind('TestMachineTemplate');
export const testMachines = resourceOf(testMachine);
export const testMachineTemplates = resourceOf(testMachineTemplate);

/** Returns whether the control plane is available with this number of machines, all ready and up to date. */
export const available =
  (replicas: number) =>
  (controlPlane: Frozen<KubeadmControlPlane>): boolean => {
    const { status } = controlPlane;
    const counts = [status?.replicas, status?.readyReplicas, status?.upToDateReplicas];
    return getCondition(controlPlane, 'Available')?.status === 'True' && counts.every((count) => count === replicas);
  };

type Rule = ReturnType<typeof clusterApi.bindAdmission>[number];

function withQuota(rule: Rule, quota: { readonly isExhausted: boolean }): Rule {
  if (rule.kind.kind !== machines.kind) return rule;
  return {
    ...rule,
    validate: (object, old, request) =>
      old === undefined && quota.isExhausted
        ? [forbiddenField('spec', 'the quota is exhausted')]
        : rule.validate(object, old, request),
  };
}

/** A management plane with only the control plane controller. The fixture simulates Machines, providers and workload clusters. */
export class ControlPlaneFixture {
  /** Machines that never get a Node. */
  readonly broken = new Set<string>();

  private constructor(
    readonly plane: TestPlane,
    readonly client: Client,
    readonly workload: SimulatedWorkload,
    /** Whether the server rejects new Machines. */
    readonly quota: { isExhausted: boolean },
  ) {}

  static async start(): Promise<ControlPlaneFixture> {
    const workload = new SimulatedWorkload();
    const quota = { isExhausted: false };
    const plane = await startTestPlane({
      sets: [
        {
          name: 'kubeadm',
          controllers: [
            {
              name: 'kubeadmcontrolplane',
              create: (context) => createKubeadmControlPlaneController(context, { openWorkload: () => workload }),
            },
          ],
        },
      ],
      kinds: (find) => ({
        name: 'test',
        kinds: [...clusterApi.clusterApiKinds, ...kubeadmKinds, testMachine, testMachineTemplate],
        converters: clusterApi.createConverters(
          [...clusterApi.clusterApiConversions, ...kubeadmConversions],
          clusterApi.contractVersionsFrom(find),
        ),
        rules: clusterApi
          .bindAdmission([...clusterApi.clusterApiAdmission, ...kubeadmAdmission], clusterApi.featureGateDefaults)
          .map((rule) => withQuota(rule, quota)),
      }),
    });
    const fixture = new ControlPlaneFixture(plane, plane.client, workload, quota);
    await fixture.plane.addWorkload(key('c'), { kubeconfig: false });
    await fixture.#createCluster();
    return fixture;
  }

  async #createCluster(): Promise<void> {
    const cluster = await this.client.create(clusters, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'c', namespace },
      spec: {
        controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 },
        infrastructureRef: { apiGroup: group, kind: 'TestCluster', name: 'c' },
        controlPlaneRef: { apiGroup: kubeadmControlPlanes.group, kind: 'KubeadmControlPlane', name: 'cp' },
      },
    });
    const provisioned = edit(cluster as Frozen<Cluster>, (draft) => {
      draft.status = { initialization: { infrastructureProvisioned: true } };
    });
    await patchObject(this.client, clusters, cluster as Frozen<Cluster>, provisioned);
  }

  createTemplate(name = 't'): Promise<Frozen<KubeObject>> {
    return this.client.create(testMachineTemplates, {
      apiVersion: `${group}/v1`,
      kind: 'TestMachineTemplate',
      metadata: { name, namespace },
      spec: { template: { spec: { size: 'small' } } },
    });
  }

  async createControlPlane(
    spec: Partial<KubeadmControlPlane['spec']> = {},
    annotations: Record<string, string> = {},
  ): Promise<Frozen<KubeadmControlPlane>> {
    const cluster = await this.client.get(clusters, key('c'));
    return this.client.create(kubeadmControlPlanes, {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmControlPlane',
      metadata: { name: 'cp', namespace, annotations, ownerReferences: [ownerReference(cluster)] },
      spec: {
        replicas: 1,
        version: 'v1.35.0',
        kubeadmConfigSpec: { clusterConfiguration: { encryptionAlgorithm: 'ECDSA-P256' } },
        machineTemplate: {
          spec: { infrastructureRef: { apiGroup: group, kind: 'TestMachineTemplate', name: 't' } },
        },
        ...spec,
      },
    });
  }

  async bringUp(spec: Partial<KubeadmControlPlane['spec']> = {}): Promise<void> {
    await this.createTemplate();
    await this.createControlPlane(spec);
    await this.until('available', available(spec.replicas ?? 1));
  }

  async condition(type: string): Promise<Readonly<Condition> | undefined> {
    return getCondition(await this.controlPlane(), type);
  }

  controlPlane(): Promise<Frozen<KubeadmControlPlane>> {
    return this.client.get(kubeadmControlPlanes, key('cp'));
  }

  async change(recipe: Parameters<typeof edit<Frozen<KubeadmControlPlane>>>[1]): Promise<void> {
    const now = await this.controlPlane();
    await patchObject(this.client, kubeadmControlPlanes, now, edit(now, recipe), { ownedConditions: 'all' });
  }

  async machines(): Promise<readonly Frozen<Machine>[]> {
    const { items } = await this.client.list(machines, { namespace });
    return items as readonly Frozen<Machine>[];
  }

  async changeMachine(name: string, recipe: Parameters<typeof edit<Frozen<Machine>>>[1]): Promise<void> {
    const now = await this.client.get(machines, key(name));
    await patchObject(this.client, machines, now, edit(now, recipe), { ownedConditions: 'all' });
  }

  /** Alternates between reconciles and one step of every machine until `check` holds. */
  async until(
    what: string,
    check: (controlPlane: Frozen<KubeadmControlPlane>) => boolean | Promise<boolean>,
  ): Promise<void> {
    // Loop in real time: keys are generated by threads that do not use the virtual clock.
    for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
      await this.plane.clock.advance(stepMs);
      if (await check(await this.controlPlane())) return;
      for (const machine of await this.machines()) await this.#step(machine);
    }
    const seen = { controlPlane: await this.controlPlane(), machines: await this.machines() };
    throw new Error(`never ${what}: ${JSON.stringify(seen, null, 1)}`);
  }

  /** Runs until the message of a condition matches. */
  untilCondition(type: string, message: string): Promise<void> {
    return this.until(
      `${type} says ${message}`,
      (controlPlane) => getCondition(controlPlane, type)?.message.includes(message) === true,
    );
  }

  /** Runs a fixed number of rounds. */
  async rounds(count: number): Promise<void> {
    for (let round = 0; round < count; round += 1) {
      await this.plane.clock.advance(5_000);
      for (const machine of await this.machines()) await this.#step(machine);
    }
    await this.plane.clock.advance(5_000);
  }

  async #step(machine: Frozen<Machine>): Promise<void> {
    if (isDeleting(machine)) return this.#letGo(machine);
    const name = nameOf(machine);
    if (machine.status?.nodeRef !== undefined || this.broken.has(name)) return;
    this.workload.join(name, formatTime(this.plane.clock.now()));
    await this.changeMachine(name, (draft) => {
      draft.spec.providerID = `test://${name}`;
      draft.status = { ...draft.status, nodeRef: { name } };
      for (const type of ['Ready', 'Available'])
        setCondition(draft as ConditionTarget, { type, status: 'True', reason: type }, this.plane.clock.now());
    });
  }

  async #letGo(machine: Frozen<Machine>): Promise<void> {
    const name = nameOf(machine);
    const held = Object.keys(machine.metadata.annotations ?? {}).some((each) => each.startsWith('pre-terminate'));
    if (held) {
      const reason = 'WaitingForPreTerminateHook';
      return this.changeMachine(name, (draft) =>
        setCondition(draft as ConditionTarget, { type: 'Deleting', status: 'True', reason }, this.plane.clock.now()),
      );
    }
    this.workload.leave(name);
    for (const resource of [testMachines, kubeadmConfigs]) await this.#delete(resource, name);
    await patchObject(
      this.client,
      machines,
      machine,
      edit(machine, ({ metadata }) => void (metadata.finalizers = [])),
    );
  }

  async #delete(resource: Resource, name: string): Promise<void> {
    try {
      await this.client.delete(resource, key(name));
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}
