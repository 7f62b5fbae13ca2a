import { deepFreeze } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { MachineDeployment, MachineSet } from '../api/index.js';
import { labels, revisionAnnotations } from '../api/index.js';
import { machineDeploymentFixture } from '../testing/rollout-objects.js';
import { countingRandom } from '../testing/rollout-simulation.js';
import { planRollout, type RolloutPlan, RolloutPlanError, type RolloutStep } from './index.js';

const nowMs = Date.UTC(2026, 0, 1);

function plan(deployment: MachineDeployment, machineSets: MachineSet[] = [], templatesExist = true): RolloutPlan {
  const random = countingRandom();
  return planRollout(deepFreeze({ deployment, machineSets, machines: [], templatesExist, nowMs, random }));
}

type Applied = Extract<RolloutStep, { readonly machineSet: unknown }>;

function appliedTo(result: RolloutPlan): Applied[] {
  return result.steps.filter((change) => 'machineSet' in change);
}

interface SetOptions {
  readonly version?: string;
  readonly replicas?: number;
  readonly available?: number;
  readonly created?: string;
  readonly revision?: string;
}

/** Returns a MachineSet as the planner creates it for a deployment of that version. */
function machineSet(name: string, deployment: MachineDeployment, options: SetOptions = {}): MachineSet {
  const { version = 'v1.35.0', replicas = 3, available = replicas, revision = '1' } = options;
  const source = structuredClone(deployment);
  source.spec.template.spec.version = version;
  delete source.spec.paused;
  const [made] = appliedTo(plan(source));
  const set = structuredClone(made?.machineSet) as MachineSet;
  const unique = { [labels.machineTemplateHash]: `1-${name}` };
  Object.assign(set.metadata, {
    name,
    uid: name,
    generation: 1,
    creationTimestamp: options.created ?? '2025-06-01T00:00:00Z',
  });
  Object.assign(set.metadata.labels ?? {}, unique);
  Object.assign(set.spec.selector.matchLabels ?? {}, unique);
  Object.assign(set.spec.template.metadata?.labels ?? {}, unique);
  Object.assign(set.metadata.annotations ?? {}, { [revisionAnnotations.revision]: revision });
  set.spec.replicas = replicas;
  const counts = { replicas, readyReplicas: available, availableReplicas: available, upToDateReplicas: replicas };
  set.status = { ...counts, observedGeneration: 1 };
  return set;
}

function fixture(replicas = 3, change: (deployment: MachineDeployment) => void = () => {}): MachineDeployment {
  const deployment = machineDeploymentFixture({ replicas });
  deployment.metadata.annotations = { [revisionAnnotations.revision]: '1' };
  deployment.status = { observedGeneration: 1 };
  change(deployment);
  return deployment;
}

describe('a new MachineSet', () => {
  const deployment = machineDeploymentFixture({ replicas: 3 });
  deployment.metadata.annotations = {
    team: 'a',
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    'cluster.x-k8s.io/conversion-data': '{}',
    [revisionAnnotations.revision]: '7',
  };
  deployment.spec.deletion = { order: 'Oldest' };
  const [change] = appliedTo(plan(deployment));
  const set = change?.machineSet;

  it('has a label `machine-template-hash` with a random suffix, so two MachineSets with equal templates do not collide [14.14]', () => {
    const hash = set?.metadata.labels[labels.machineTemplateHash];
    expect(hash).toMatch(/^[0-9]+-bbbbc$/);
    expect(set?.metadata.name).toBe('md-bbbbc');
    expect(set?.spec.selector.matchLabels?.[labels.machineTemplateHash]).toBe(hash);
    expect(set?.spec.template.metadata?.labels?.[labels.machineTemplateHash]).toBe(hash);
    expect(set?.metadata.labels[labels.deploymentName]).toBe('md');
  });

  it('has annotations of machinedeployment.clusters.x-k8s.io, without the conversion data [14.15, 14.46]', () => {
    expect(set?.metadata.annotations).toEqual({
      team: 'a',
      'machinedeployment.clusters.x-k8s.io/desired-replicas': '3',
      'machinedeployment.clusters.x-k8s.io/max-replicas': '4',
      'machinedeployment.clusters.x-k8s.io/revision': '1',
      'cluster.x-k8s.io/disable-machine-create': 'false',
    });
  });

  it('has the template, the owner and all replicas when there is nothing to replace', () => {
    expect(set?.spec).toMatchObject({ clusterName: 'c', replicas: 3, deletion: { order: 'Oldest' } });
    expect(set?.spec.template.spec).toEqual(deployment.spec.template.spec);
    const owner = { kind: 'MachineDeployment', name: 'md', uid: 'md-uid', controller: true, blockOwnerDeletion: true };
    expect(set?.metadata.ownerReferences).toEqual([{ apiVersion: 'cluster.x-k8s.io/v1beta2', ...owner }]);
    expect(change).toMatchObject({
      verb: 'create',
      reason: 'NoMachineSet',
      scale: { from: 0, to: 3, reason: 'ScaledUp' },
    });
  });

  it('has a name of at most 63 characters that does not exist yet', () => {
    const long = machineDeploymentFixture({ replicas: 1 });
    long.metadata.name = 'a'.repeat(70);
    expect(appliedTo(plan(long))[0]?.machineSet.metadata.name).toBe(`${'a'.repeat(58)}bbbbc`);
    const taken = machineSet('md-bbbbc', deployment, { version: 'v1.30.0' });
    expect(plan(deployment, [taken]).newMachineSet).toBe('md-bbbbd');
  });

  it('is not created without its templates, nor while the deployment is paused', () => {
    expect(() => plan(deployment, [], false)).toThrow(RolloutPlanError);
    const paused = machineDeploymentFixture({ replicas: 3 });
    paused.spec.paused = true;
    expect(plan(paused)).toMatchObject({ steps: [], newMachineSet: undefined, revision: undefined });
  });
});

describe('planRollout', () => {
  it('compares templates by their fields, not by hash, and plans nothing if they match [14.14]', () => {
    const deployment = fixture();
    expect(plan(deployment, [machineSet('ms1', deployment)]).steps).toEqual([]);
  });

  it('propagates in-place fields to all sets, including old ones, without replacing machines [14.16]', () => {
    const before = fixture();
    const sets = [machineSet('ms1', before), machineSet('ms2', before, { version: 'v1.34.0', replicas: 0 })];
    sets[0]!.metadata.annotations![revisionAnnotations.revision] = '2';
    const deployment = fixture(3, ({ metadata, spec }) => {
      metadata.annotations = { [revisionAnnotations.revision]: '2' };
      metadata.generation = 2;
      spec.template.metadata = { labels: { ...spec.template.metadata?.labels, zone: 'a' } };
      spec.template.spec.deletion = { nodeDrainTimeoutSeconds: 60 };
    });
    const changes = appliedTo(plan(deployment, sets));
    expect(changes.map(({ reason, machineSet: { metadata } }) => [metadata.name, reason])).toEqual([
      ['ms1', 'PropagatedInPlace'],
      ['ms2', 'PropagatedInPlace'],
    ]);
    expect(changes[1]?.machineSet.spec.template.spec).toMatchObject({
      version: 'v1.34.0',
      deletion: { nodeDrainTimeoutSeconds: 60 },
    });
  });

  it('removes annotations that it set before', () => {
    const deployment = fixture();
    const set = machineSet('ms1', deployment);
    set.metadata.annotations = { ...set.metadata.annotations, gone: 'x', foreign: 'y' };
    expect(plan(deployment, [set]).steps).toEqual([]);
    const fieldsV1 = { 'f:metadata': { 'f:annotations': { 'f:gone': {} } } };
    const again = machineSet('ms1', deployment);
    again.metadata.managedFields = [{ manager: 'capi-machinedeployment', operation: 'Apply', fieldsV1 }];
    expect(plan(deployment, [again]).steps).toMatchObject([{ message: 'changed: metadata.annotations' }]);
  });

  it('reuses an old set for a rollback, with the highest revision and a history of the previous one', () => {
    const deployment = fixture(3, ({ metadata }) => {
      metadata.annotations = { [revisionAnnotations.revision]: '2' };
    });
    const sets = [
      machineSet('ms1', deployment, { replicas: 2 }),
      machineSet('ms2', deployment, {
        version: 'v1.36.0',
        replicas: 1,
        revision: '2',
        created: '2025-07-01T00:00:00Z',
      }),
    ];
    const result = plan(deployment, sets);
    expect(result).toMatchObject({ newMachineSet: 'ms1', oldMachineSets: ['ms2'], revision: '3' });
    expect(appliedTo(result)[0]?.machineSet.metadata.annotations).toMatchObject({
      [revisionAnnotations.revision]: '3',
      [revisionAnnotations.revisionHistory]: '1',
    });
    expect(result.steps).toContainEqual(expect.objectContaining({ verb: 'annotate', revision: '3' }));
  });

  it('prefers the largest of several sets with the current template', () => {
    const deployment = fixture();
    const sets = [machineSet('ms1', deployment, { replicas: 1 }), machineSet('ms2', deployment, { replicas: 2 })];
    expect(plan(deployment, sets).newMachineSet).toBe('ms2');
  });

  it('ignores a set that is being deleted', () => {
    const deployment = fixture();
    const deleting = machineSet('ms1', deployment);
    deleting.metadata.deletionTimestamp = '2025-12-01T00:00:00Z';
    expect(plan(deployment, [deleting])).toMatchObject({ newMachineSet: 'md-bbbbc', oldMachineSets: ['ms1'] });
  });

  it('compares `rollout.after` with creation timestamps, and ignores a time in the future until it passes [14.20]', () => {
    const after = (time: string): MachineDeployment =>
      fixture(3, ({ spec }) => {
        spec.rollout = { ...spec.rollout, after: time };
      });
    const set = machineSet('ms1', fixture());
    const future = plan(after('2026-01-01T00:01:00Z'), [set]);
    expect(future).toMatchObject({ newMachineSet: 'ms1', steps: [], requeueAfterMs: 60_000 });
    const past = '2025-12-31T00:00:00Z';
    expect(plan(after(past), [set])).toMatchObject({ newMachineSet: 'md-bbbbc', requeueAfterMs: undefined });
    const younger = machineSet('ms2', fixture(), { created: past, revision: '2' });
    expect(plan(after(past), [set, younger]).newMachineSet).toBe('ms2');
  });

  it('removes old MachineSets only when the whole rollout is complete, and then all of them [14.18]', () => {
    const deployment = fixture(3, ({ metadata }) => {
      metadata.annotations = { [revisionAnnotations.revision]: '3' };
    });
    const old = ['ms1', 'ms2'].map((name) => machineSet(name, deployment, { version: 'v1.34.0', replicas: 0 }));
    const complete = machineSet('ms3', deployment, { revision: '3' });
    const deleted = plan(deployment, [...old, complete]).steps;
    expect(deleted).toMatchObject([
      { verb: 'delete', name: 'ms1', reason: 'RolloutComplete' },
      { verb: 'delete', name: 'ms2', reason: 'RolloutComplete' },
    ]);
    const unavailable = machineSet('ms3', deployment, { revision: '3', available: 2 });
    expect(plan(deployment, [...old, unavailable]).steps).toEqual([]);
    const unseen = structuredClone(deployment);
    unseen.metadata.generation = 2;
    expect(plan(unseen, [...old, complete]).steps).toEqual([]);
  });

  it('counts `max(spec,status)` of each MachineSet for surge but spec for scale-down, and assumes the worst case [14.17]', () => {
    const deployment = fixture(10, ({ spec }) => {
      spec.rollout = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } } };
    });
    const old = machineSet('ms1', deployment, { version: 'v1.34.0', replicas: 8 });
    // Two machines are still being deleted, so that no surge is left.
    old.status = { ...old.status, replicas: 10, availableReplicas: 9 };
    const current = machineSet('ms2', deployment, { replicas: 2, available: 2, revision: '2' });
    expect(appliedTo(plan(deployment, [old, current])).filter(({ scale }) => scale !== undefined)).toEqual([]);
  });

  it('lowers old MachineSets to their status and disables machine creation with OnDelete, or they would recreate Machines [14.19]', () => {
    const deployment = machineDeploymentFixture({ replicas: 3, type: 'OnDelete' });
    const old = machineSet('ms1', deployment, { version: 'v1.34.0', replicas: 3 });
    old.status = { ...old.status, replicas: 2 };
    const current = machineSet('ms2', deployment, { replicas: 0, revision: '2' });
    const changes = appliedTo(plan(deployment, [old, current]));
    expect(changes).toMatchObject([
      {
        reason: 'MachinesDeletedByUser',
        machineSet: {
          metadata: { name: 'ms1', annotations: { 'cluster.x-k8s.io/disable-machine-create': 'true' } },
          spec: { replicas: 2 },
        },
      },
    ]);
  });

  it('reports a set without its machine-template-hash', () => {
    const deployment = fixture();
    const set = machineSet('ms1', deployment);
    delete set.metadata.labels?.[labels.machineTemplateHash];
    expect(() => plan(deployment, [set])).toThrow('MachineSet ms1 has no label machine-template-hash');
  });
});

describe('a paused deployment', () => {
  const rows = [
    { name: 'scales its only active set', replicas: 5, sizes: [3, 0], then: [5, 0] },
    { name: 'scales up in proportion', replicas: 19, sizes: [6, 3], then: [14, 6] },
    { name: 'scales down in proportion', replicas: 4, sizes: [6, 3], then: [3, 2] },
    { name: 'scales all sets to zero', replicas: 0, sizes: [6, 3], then: [0, 0] },
  ];
  it.each(rows)('$name', ({ replicas, sizes, then }) => {
    const running = fixture(9);
    const sets = sizes.map((size, index) =>
      machineSet(`ms${index}`, running, { version: `v1.3${index}.0`, replicas: size, revision: String(index) }),
    );
    const deployment = fixture(replicas, ({ spec }) => {
      spec.paused = true;
    });
    const scaled = new Map(
      appliedTo(plan(deployment, sets)).map(({ machineSet: { metadata, spec } }) => [metadata.name, spec.replicas]),
    );
    expect(sets.map(({ metadata, spec }) => scaled.get(metadata.name ?? '') ?? spec.replicas)).toEqual(then);
  });
});
