import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topologyAnnotations } from '../../api/index.js';
import {
  blueprintFixture,
  controlPlaneFixture,
  deploymentFixture,
  emptyState,
  type TopologyFixture,
} from '../../testing/topology-objects.js';
import { topologyCondition } from '../topology-condition.js';
import type { CurrentState } from '../topology-state.js';
import { decideVersions } from './decide-versions.js';
import type { HookAnswer, LifecycleHook } from './lifecycle-hook.js';
import { makePlan } from './make-plan.js';
import { upgradeRange } from './upgrade-plan.js';

/**
 * Simulates a cluster: a control plane and MachineDeployments that take one round each to reach their version. Records the
 * decisions of each round.
 */
class Sequence {
  readonly lines: string[] = [];
  readonly fixture: TopologyFixture;
  /** Current and target version of each part. */
  readonly controlPlane = { version: '', status: '' };
  readonly workers = new Map<string, { version: string; status: string }>();
  pendingHooks: ReadonlySet<string> | undefined;
  readonly blocking = new Map<LifecycleHook, HookAnswer>();
  /** Called after every decision. */
  check: () => void = () => undefined;

  constructor(fixture: TopologyFixture, from: string, names: readonly string[]) {
    this.fixture = fixture;
    Object.assign(this.controlPlane, { version: from, status: from });
    for (const name of names) this.workers.set(name, { version: from, status: from });
  }

  async run(roundsMax = 20): Promise<string> {
    for (let round = 1; round <= roundsMax; round += 1) {
      const before = this.#state();
      await this.#decide(round);
      if (this.#state() === before && !this.#settle()) return `${this.lines.join('\n')}\n`;
    }
    throw new Error(`not over after ${roundsMax} rounds:\n${this.lines.join('\n')}`);
  }

  /** Lets machines reach their target versions, one part per round. */
  #settle(): boolean {
    for (const part of [this.controlPlane, ...this.workers.values()]) {
      if (part.version === part.status) continue;
      part.status = part.version;
      return true;
    }
    return false;
  }

  #state(): string {
    return JSON.stringify([this.controlPlane, [...this.workers], [...(this.pendingHooks ?? [])]]);
  }

  #current(): CurrentState {
    const { version, status } = this.controlPlane;
    const annotations = this.pendingHooks && {
      'runtime.cluster.x-k8s.io/pending-hooks': [...this.pendingHooks].join(','),
    };
    const fixture = {
      ...this.fixture,
      annotations: { ...this.fixture.annotations, ...annotations },
      clusterSpec: {
        controlPlaneRef: { apiGroup: 'controlplane.example.com', kind: 'Control', name: 'c-control' },
      },
    };
    return {
      ...emptyState(fixture),
      controlPlane: { object: controlPlaneFixture(version, [status]) },
      machineDeployments: new Map(
        [...this.workers].map(([name, worker]) => [
          name,
          deploymentFixture(name, worker.version, { isUpgrading: worker.version !== worker.status }),
        ]),
      ),
    };
  }

  async #decide(round: number): Promise<void> {
    const blueprint = blueprintFixture(this.fixture);
    const current = this.#current();
    const range = upgradeRange(current, blueprint.topology.version);
    const plan = await makePlan(range, blueprint.clusterClass, () => Promise.reject(new Error('no extension')));
    const calledHooks: string[] = [];
    const decided = await decideVersions(
      { blueprint, current, range, plan, pendingHooks: this.pendingHooks },
      ({ hook, fields }) => {
        const to = fields['toKubernetesVersion'] ?? fields['kubernetesVersion'] ?? '';
        calledHooks.push(`${hook}(${to as string})`);
        return Promise.resolve(this.blocking.get(hook) ?? { retryAfterSeconds: 0, message: '' });
      },
    );
    const { versions, upgrade, answers } = decided;
    const condition = topologyCondition({
      cluster: current.cluster,
      answers,
      upgrade,
      controlPlane: { kind: 'Control', version: versions.controlPlane },
    });
    const workers = [...versions.machineDeployments].map(([name, version]) => `${name}=${version}`).join(' ');
    this.lines.push(
      `round ${round}: control plane ${versions.controlPlane} ${workers}`,
      ...calledHooks.map((hook) => `  asked ${hook}`),
      ...(versions.upgradeStep === undefined ? [] : [`  step ${versions.upgradeStep}`]),
      `  ${condition.reason}${condition.message === '' ? '' : `: ${condition.message.replaceAll('\n', '\n  ')}`}`,
    );
    this.controlPlane.version = versions.controlPlane;
    for (const [name, version] of versions.machineDeployments) {
      const worker = this.workers.get(name);
      if (worker !== undefined) worker.version = version;
    }
    if (this.pendingHooks !== undefined) this.pendingHooks = decided.pendingHooks;
    this.check();
  }
}

const topology = (version: string, ...workers: (string | { name: string; metadata: object })[]): TopologyFixture => ({
  topology: {
    version,
    workers: {
      machineDeployments: workers.map((worker) => ({
        class: 'worker',
        ...(typeof worker === 'string' ? { name: worker } : (worker as { name: string })),
      })),
    },
  },
});
const marked = (name: string, annotation: string): { name: string; metadata: object } => ({
  name,
  metadata: { annotations: { [annotation]: '' } },
});
const golden = (name: string): string => `testdata/${name}.log`;

describe('upgrades', () => {
  it('upgrade the control plane first, then the workers one after the other', async () => {
    const sequence = new Sequence(topology('v1.36.0', 'a', 'b', 'c'), 'v1.35.0', ['a', 'b', 'c']);
    await expect(await sequence.run()).toMatchFileSnapshot(golden('one-minor'));
  });

  it('limit concurrent workers to the concurrency of the Cluster', async () => {
    const fixture = {
      ...topology('v1.36.0', 'a', 'b', 'c'),
      annotations: { [topologyAnnotations.upgradeConcurrency]: '2' },
    };
    const sequence = new Sequence(fixture, 'v1.35.0', ['a', 'b', 'c']);
    await expect(await sequence.run()).toMatchFileSnapshot(golden('concurrency'));
  });

  it('skip workers that are deferred', async () => {
    const fixture = topology('v1.36.0', 'a', marked('b', topologyAnnotations.deferUpgrade), 'c');
    const sequence = new Sequence(fixture, 'v1.35.0', ['a', 'b', 'c']);
    await expect(await sequence.run()).toMatchFileSnapshot(golden('deferred'));
  });

  it('upgrade neither held workers nor the workers after them', async () => {
    const fixture = topology('v1.36.0', 'a', marked('b', topologyAnnotations.holdUpgradeSequence), 'c');
    const sequence = new Sequence(fixture, 'v1.35.0', ['a', 'b', 'c']);
    await expect(await sequence.run()).toMatchFileSnapshot(golden('held'));
  });

  it('do not start the next step while workers are upgrading', async () => {
    const sequence = new Sequence(topology('v1.36.1', 'a'), 'v1.36.0', ['a']);
    sequence.workers.set('a', { version: 'v1.36.0', status: 'v1.35.0' });
    await expect(await sequence.run()).toMatchFileSnapshot(golden('former-upgrade'));
  });

  it('create no workers while the control plane is upgrading', async () => {
    const sequence = new Sequence(topology('v1.36.0', 'a', 'new'), 'v1.35.0', ['a']);
    await expect(await sequence.run()).toMatchFileSnapshot(golden('pending-create'));
  });

  it('step through every minor version, with as few worker steps as the skew allows', async () => {
    const base = topology('v1.38.0', 'a');
    const kubernetesVersions = ['v1.33.0', 'v1.34.0', 'v1.35.0', 'v1.36.0', 'v1.37.0', 'v1.38.0'];
    const sequence = new Sequence({ ...base, classSpec: { kubernetesVersions } }, 'v1.33.0', ['a']);
    await expect(await sequence.run(40)).toMatchFileSnapshot(golden('chained'));
  });

  it('call hooks around every step', async () => {
    const base = topology('v1.36.0', 'a');
    const sequence = new Sequence({ ...base, classSpec: { kubernetesVersions: ['v1.35.0', 'v1.36.0'] } }, 'v1.34.0', [
      'a',
    ]);
    sequence.pendingHooks = new Set();
    await expect(await sequence.run(40)).toMatchFileSnapshot(golden('hooks'));
    // AfterClusterUpgrade is called after these decisions, once the cluster has settled.
    expect([...(sequence.pendingHooks ?? [])]).toEqual(['AfterClusterUpgrade']);
  });

  it.each([
    'BeforeClusterUpgrade',
    'BeforeControlPlaneUpgrade',
    'AfterControlPlaneUpgrade',
    'BeforeWorkersUpgrade',
    'AfterWorkersUpgrade',
  ] as const)('wait for %s', async (hook) => {
    const sequence = new Sequence(topology('v1.36.0', 'a'), 'v1.35.0', ['a']);
    sequence.pendingHooks = new Set();
    sequence.blocking.set(hook, { retryAfterSeconds: 10, message: 'not now' });
    await expect(await sequence.run(40)).toMatchFileSnapshot(golden(`blocked-by-${hook}`));
  });
});

describe('any upgrade', () => {
  const minorOf = (version: string): number => Number(version.split('.')[1]);
  const given = fc.record({
    workers: fc.integer({ min: 0, max: 4 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    steps: fc.integer({ min: 0, max: 6 }),
    behind: fc.integer({ min: 0, max: 3 }),
    hooks: fc.boolean(),
  });

  it('completes, keeps workers within the version skew, and respects the concurrency', async () => {
    await fc.assert(
      fc.asyncProperty(given, async ({ workers, concurrency, steps, behind, hooks }) => {
        const from = 33;
        const names = Array.from({ length: workers }, (_, index) => `w${index}`);
        const kubernetesVersions = Array.from({ length: steps + 1 }, (_, index) => `v1.${from + index}.0`);
        const desired = `v1.${from + steps}.0`;
        const fixture = {
          ...topology(desired, ...names),
          classSpec: { kubernetesVersions },
          annotations: { [topologyAnnotations.upgradeConcurrency]: `${concurrency}` },
        };
        const sequence = new Sequence(fixture, `v1.${from}.0`, names);
        const [first] = names;
        const oldest = { version: `v1.${from - behind}.0`, status: `v1.${from - behind}.0` };
        if (first !== undefined) sequence.workers.set(first, oldest);
        if (hooks) sequence.pendingHooks = new Set();
        sequence.check = () => {
          const all = [...sequence.workers.values()];
          const { version } = sequence.controlPlane;
          const isWithin = ({ version: own }: { version: string }): boolean =>
            minorOf(own) <= minorOf(version) && minorOf(version) - minorOf(own) <= 3;
          expect(all.filter((each) => !isWithin(each))).toEqual([]);
          expect(all.filter((each) => each.version !== each.status).length).toBeLessThanOrEqual(concurrency);
        };
        await sequence.run(200);
        expect([sequence.controlPlane, ...sequence.workers.values()].map(({ status }) => status)).toEqual(
          Array.from({ length: workers + 1 }, () => desired),
        );
      }),
      { numRuns: 60 },
    );
  });
});
