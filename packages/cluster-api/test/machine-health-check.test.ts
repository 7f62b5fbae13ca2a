import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatTime } from '@slipway/kube';
import { type Client, getCondition, type Node, nodes } from '@slipway/runtime';
import type { MachineHealthCheck } from '../src/api/index.js';
import {
  clusters,
  labels,
  machineHealthChecks,
  machines,
  machineSets,
  nameOf,
  type ObservedMachine,
} from '../src/index.js';
import { keyOfName, machineSet, MachineEnvironment, namespace } from './support/machine-environment.js';
import { providerObject, testRemediations, testRemediationTemplates } from './support/provider-kinds.js';

let environment: MachineEnvironment;
let workload: Client;
const checks = machineHealthChecks;
const minute = 60_000;

function healthCheck(change: (check: MachineHealthCheck) => void = () => undefined): MachineHealthCheck {
  const check: MachineHealthCheck = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { name: 'mhc', namespace },
    spec: {
      clusterName: 'c',
      selector: { matchLabels: { [labels.setName]: 'ms' } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
    },
  };
  change(check);
  return check;
}

const create = (change?: (check: MachineHealthCheck) => void): Promise<unknown> =>
  environment.plane.client.create(machineHealthChecks, healthCheck(change));
const check = () => environment.plane.client.get(machineHealthChecks, keyOfName('mhc'));
const machineNamed = (name: string): Promise<ObservedMachine> =>
  environment.plane.client.get(machines, keyOfName(name));
const verdictOf = async (name: string, type = 'HealthCheckSucceeded'): Promise<string | undefined> => {
  const condition = getCondition(await machineNamed(name), type);
  return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
};
const allowed = async (): Promise<string | undefined> => {
  const condition = getCondition(await check(), 'RemediationAllowed');
  return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
};

async function setNode(name: string, status: 'True' | 'Unknown'): Promise<void> {
  const time = formatTime(environment.plane.clock.now());
  const conditions = [{ type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: time }];
  await workload.patch(
    nodes,
    { namespace: '', name },
    { type: 'merge', patch: { status: { conditions } } as never },
    {
      subresource: 'status',
    },
  );
}

async function addNode(name: string): Promise<void> {
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
  await workload.create(nodes, node);
  await setNode(name, 'True');
}

async function clusterIsUp(): Promise<void> {
  const time = formatTime(environment.plane.clock.now());
  const conditions = ['ControlPlaneInitialized', 'InfrastructureReady'].map((type) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    lastTransitionTime: time,
  }));
  await environment.patchStatus(clusters, 'c', { conditions });
}

/** Creates machines of a MachineSet, all with Nodes. */
async function machinesUp(count: number): Promise<string[]> {
  await environment.plane.client.create(machineSets, machineSet(count));
  await environment.actor.act(2);
  const names = (await environment.machines()).map(nameOf);
  for (const name of names) await addNode(name);
  return names;
}

beforeEach(async () => {
  environment = await MachineEnvironment.start();
  workload = await environment.plane.addWorkload(keyOfName('c'));
});
afterEach(() => environment.plane.stop());

describe('an initialized cluster', () => {
  beforeEach(clusterIsUp);

  it('reports healthy machines', async () => {
    const names = await machinesUp(2);
    await create();
    await environment.plane.settle();
    expect(await verdictOf(names[0] as string)).toBe('True HealthCheckSucceeded: ');
    expect((await check()).status).toMatchObject({
      expectedMachines: 2,
      currentHealthy: 2,
      remediationsAllowed: 2,
      targets: names,
      observedGeneration: 1,
    });
    expect(await allowed()).toBe('True RemediationAllowed: ');
    expect((await check()).metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'c' }]);
  });

  it('remediates a machine once a Node condition lasts too long', async () => {
    const [bad = '', good = ''] = await machinesUp(2);
    await create();
    await environment.plane.settle();
    await setNode(bad, 'Unknown');
    await environment.plane.clock.advance(4 * minute);
    expect(await verdictOf(bad)).toBe('True HealthCheckSucceeded: ');
    expect((await check()).status, '14.21: a pending timeout is not healthy').toMatchObject({ currentHealthy: 1 });
    environment.actor.holdsDeleted = true;
    await environment.plane.clock.advance(minute + 2_000);
    expect(await verdictOf(bad)).toBe(
      'False UnhealthyNode: Health check failed:\n  * Condition Ready on Node is reporting status Unknown with reason Kubelet for more than 5m0s',
    );
    expect(await verdictOf(bad, 'OwnerRemediated')).toBe('False MachineDeleting: Machine is deleting');
    expect(await verdictOf(good)).toBe('True HealthCheckSucceeded: ');
    expect(await environment.eventsOf(bad)).toContainEqual(expect.stringMatching(/^MachineMarkedUnhealthy: /));
    environment.actor.holdsDeleted = false;
    await environment.actor.act(2);
    const names = (await environment.machines()).map(nameOf);
    expect(names).toHaveLength(2);
    expect(names).not.toContain(bad);
  });

  it('does not remediate a machine whose Node recovers in time', async () => {
    const [name = ''] = await machinesUp(1);
    await create();
    await environment.plane.settle();
    await setNode(name, 'Unknown');
    await environment.plane.clock.advance(4 * minute);
    await setNode(name, 'True');
    await environment.plane.clock.advance(10 * minute);
    expect(await verdictOf(name)).toBe('True HealthCheckSucceeded: ');
    expect((await environment.machines()).map(nameOf)).toEqual([name]);
  });

  it('fails a machine immediately when its Node is deleted', async () => {
    const [name = ''] = await machinesUp(1);
    await create();
    await environment.plane.settle();
    environment.actor.holdsDeleted = true;
    await workload.delete(nodes, { namespace: '', name });
    await environment.plane.settle();
    expect(await verdictOf(name)).toBe(`False NodeDeleted: Health check failed:\n  * Node ${name} has been deleted`);
  });

  it('counts machines that are not healthy against the budget, rounds percentages down, and does not requeue while not allowed [14.21, 14.53]', async () => {
    const [bad = ''] = await machinesUp(2);
    await create(({ spec }) => {
      spec.remediation = { triggerIf: { unhealthyLessThanOrEqualTo: '40%' } };
    });
    await environment.plane.settle();
    await setNode(bad, 'Unknown');
    await environment.plane.clock.advance(11 * minute);
    expect(await allowed()).toMatch(/^False TooManyUnhealthy: Remediation is not allowed/);
    expect(await verdictOf(bad)).toMatch(/^False UnhealthyNode/);
    expect(await verdictOf(bad, 'OwnerRemediated')).toBeUndefined();
    expect((await check()).status).toMatchObject({ remediationsAllowed: 0, currentHealthy: 1 });
    expect(await environment.eventsOf('mhc')).toContainEqual(expect.stringMatching(/^RemediationRestricted: /));
  });

  it('sets OwnerRemediated only if absent or True; the owner clears it once the machine is healthy again [14.23]', async () => {
    const [name = ''] = await machinesUp(1);
    // Paused, the MachineSet does not remediate its machines.
    await environment.patch(machineSets, 'ms', { metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } });
    await create();
    await setNode(name, 'Unknown');
    await environment.plane.clock.advance(6 * minute);
    expect(await verdictOf(name, 'OwnerRemediated')).toBe('False WaitingForRemediation: Waiting for remediation');
    const conditions = ((await machineNamed(name)).status?.conditions ?? []).map((condition) =>
      condition.type === 'OwnerRemediated' ? { ...condition, reason: 'RemediationDeferred' } : condition,
    );
    await environment.patchStatus(machines, name, { conditions });
    await environment.plane.clock.advance(minute);
    expect(await verdictOf(name, 'OwnerRemediated')).toMatch(/^False RemediationDeferred/);
    await setNode(name, 'True');
    await environment.plane.settle();
    expect(await verdictOf(name)).toBe('True HealthCheckSucceeded: ');
    await environment.patch(machineSets, 'ms', {
      metadata: { annotations: { 'cluster.x-k8s.io/paused': null } },
    });
    await environment.plane.settle();
    expect(await verdictOf(name, 'OwnerRemediated')).toBeUndefined();
  });

  it('restarts the start-up timeout from the latest of four timestamps [14.22]', async () => {
    environment.actor.holdsDeleted = true;
    await environment.plane.client.create(machineSets, machineSet(1));
    await environment.plane.settle();
    const [machine] = await environment.machines();
    const name = nameOf(machine as never);
    await create();
    await environment.plane.clock.advance(9 * minute);
    const time = formatTime(environment.plane.clock.now());
    const ready = {
      type: 'InfrastructureReady',
      status: 'True',
      reason: 'Ready',
      message: '',
      lastTransitionTime: time,
    };
    await environment.patchStatus(machines, name, { conditions: [ready] });
    await environment.plane.clock.advance(9 * minute);
    expect(await verdictOf(name)).toBeUndefined();
    await environment.plane.clock.advance(minute + 2_000);
    expect(await verdictOf(name)).toBe(
      'False NodeStartupTimeout: Health check failed:\n  * Node failed to report startup in 10m0s',
    );
  });

  it('decides nothing after a lost connection [14.41]', async () => {
    const [name = ''] = await machinesUp(1);
    await create();
    await environment.plane.settle();
    environment.plane.setReachable(keyOfName('c'), false);
    await environment.plane.clock.advance(2 * minute);
    expect(await allowed()).toMatch(/^Unknown ConnectionDown: cluster default\/c is not connected/);
    expect(await verdictOf(name)).toBe('True HealthCheckSucceeded: ');
    environment.plane.setReachable(keyOfName('c'), true);
    await environment.plane.clock.advance(10 * minute);
    expect(await allowed()).toBe('True RemediationAllowed: ');
  });

  it('creates an external remediation request from a template, and deletes it when the machine is healthy again', async () => {
    const [name = ''] = await machinesUp(1);
    const templateRef = {
      apiVersion: `${testRemediationTemplates.group}/v1`,
      kind: testRemediationTemplates.kind,
      name: 'reboot',
    };
    await create(({ spec }) => {
      spec.remediation = { templateRef };
    });
    await setNode(name, 'Unknown');
    await environment.plane.clock.advance(6 * minute);
    expect(await verdictOf(name, 'ExternallyRemediated')).toMatch(
      /^False RemediationTemplateNotFound: TestRemediationTemplate default\/reboot, .* does not exist; create it/,
    );
    const template = providerObject(testRemediationTemplates, 'reboot', { template: { spec: { strategy: 'reboot' } } });
    await environment.plane.client.create(testRemediationTemplates, template);
    await environment.plane.clock.advance(2 * minute);
    const request = await environment.plane.client.get(testRemediations, keyOfName(name));
    expect(request).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Machine', name }] },
      spec: { strategy: 'reboot' },
    });
    expect(await verdictOf(name, 'ExternallyRemediated')).toBe('False WaitingForRemediation: Waiting for remediation');
    expect(await verdictOf(name, 'OwnerRemediated')).toBeUndefined();
    await setNode(name, 'True');
    await environment.plane.untilGone(testRemediations, keyOfName(name));
    await environment.plane.settle();
    expect(await verdictOf(name)).toBe('True HealthCheckSucceeded: ');
  });

  it('ignores machines with the skip annotation, and fails those that are marked', async () => {
    const [out = '', marked = ''] = await machinesUp(2);
    await create();
    environment.actor.holdsDeleted = true;
    const annotate = (name: string, key: string): Promise<unknown> =>
      environment.patch(machines, name, { metadata: { annotations: { [key]: '' } } });
    await annotate(out, 'cluster.x-k8s.io/skip-remediation');
    await annotate(marked, 'cluster.x-k8s.io/remediate-machine');
    await environment.plane.settle();
    expect((await check()).status).toMatchObject({ expectedMachines: 1, targets: [marked] });
    expect(await verdictOf(marked)).toMatch(/^False HasRemediateAnnotation/);
  });
});

it('does not check machines of a cluster that is not initialized', async () => {
  await environment.plane.client.create(machineSets, machineSet(1));
  await create();
  await environment.plane.clock.advance(60 * minute);
  const [machine] = await environment.machines();
  expect(await verdictOf(nameOf(machine as never))).toBeUndefined();
  expect((await check()).status).toMatchObject({ expectedMachines: 1, currentHealthy: 0 });
});

it('does nothing while its Cluster is paused, and waits for a missing one', async () => {
  await clusterIsUp();
  await environment.patch(clusters, 'c', { spec: { paused: true } });
  await create();
  await environment.plane.settle();
  expect((await check()).status?.expectedMachines).toBeUndefined();
  await environment.plane.client.delete(clusters, keyOfName('c'));
  await environment.plane.settle();
  expect(await allowed()).toBe('Unknown ObjectDoesNotExist: Cluster c does not exist');
  expect(checks.kind).toBe('MachineHealthCheck');
});
