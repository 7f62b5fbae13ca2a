import { ReconcileError } from '@slipway/runtime';
import type { HookAnswers, HookCall, LifecycleHook } from './lifecycle-hook.js';
import { isBlocking } from './lifecycle-hook.js';
import { type ControlPlaneUpgrade, stableControlPlane } from './upgrade-tracker.js';

export interface ControlPlaneFacts {
  readonly topologyVersion: string;
  /** Absent if the control plane does not exist yet. */
  readonly current?: {
    readonly version: string;
    readonly isProvisioning: boolean;
    readonly isUpgrading: boolean;
  };
  readonly controlPlanePlan: readonly string[];
  readonly deploymentsPlan: readonly string[];
  readonly poolsPlan: readonly string[];
  readonly minWorkersVersion: string;
  readonly isAnyWorkerUpgrading: boolean;
  /** Undefined while runtime extensions are disabled: no hook is called or recorded. */
  readonly hooks?: { readonly pending: ReadonlySet<string> };
}

/** Either a hook call whose response is required, or the version. */
export type ControlPlaneDecision =
  | { readonly type: 'ask'; readonly call: HookCall }
  | {
      readonly type: 'decided';
      readonly version: string;
      readonly upgrade: ControlPlaneUpgrade;
      /** The hooks to record as pending on the Cluster. */
      readonly pendingHooks: ReadonlySet<string>;
    };

/**
 * Returns the next control plane version. A pure function: if it requests a hook, the caller calls the hook and passes the
 * response in the next call. The checks start with the end of an upgrade step, because a step must complete before the next one
 * starts.
 */
export function decideControlPlaneVersion(facts: ControlPlaneFacts, answers: HookAnswers): ControlPlaneDecision {
  const { current, topologyVersion } = facts;
  const pendingHooks = new Set(facts.hooks?.pending);
  if (current === undefined) {
    return { type: 'decided', version: topologyVersion, upgrade: stableControlPlane, pendingHooks };
  }
  const isPendingUpgrade = current.version !== topologyVersion;
  const stay = (state: Partial<ControlPlaneUpgrade> = {}): ControlPlaneDecision => ({
    type: 'decided',
    version: current.version,
    upgrade: { ...stableControlPlane, isPendingUpgrade, ...state },
    pendingHooks,
  });
  const at = (gate: NonNullable<Gate>): ControlPlaneDecision => (gate === 'blocked' ? stay() : gate);
  if (current.isProvisioning) return stay({ isProvisioning: true });
  if (current.isUpgrading) return stay({ isUpgrading: true });

  const gates = new Gates(facts, answers, pendingHooks);
  const afterControlPlane = gates.afterControlPlane(current.version) ?? gates.beforeWorkers(current.version);
  if (afterControlPlane !== undefined) return at(afterControlPlane);
  if (doWorkersFollow(facts, current.version)) {
    return stay({ isWaitingForWorkersUpgrade: true });
  }
  if (facts.isAnyWorkerUpgrading) return stay();
  const afterWorkers = gates.afterWorkers(current.version);
  if (afterWorkers !== undefined) return at(afterWorkers);
  if (!isPendingUpgrade) return stay();

  const next = nextVersion(facts);
  const before = gates.beforeUpgrade(current.version, next);
  if (before !== undefined) return at(before);
  return {
    type: 'decided',
    version: next,
    upgrade: { ...stableControlPlane, isStartingUpgrade: true },
    pendingHooks: facts.hooks === undefined ? pendingHooks : withHooksOfStep(facts, pendingHooks, next),
  };
}

function nextVersion({ controlPlanePlan: [next] }: ControlPlaneFacts): string {
  if (next !== undefined) return next;
  throw new ReconcileError(
    'InvalidUpgradePlan',
    'cannot compute the control plane version if the control plane is pending upgrade and the upgrade plan is not set',
    { retry: 'onChange' },
  );
}

/** Whether workers must reach this version before the control plane continues. */
function doWorkersFollow({ deploymentsPlan, poolsPlan }: ControlPlaneFacts, version: string): boolean {
  return deploymentsPlan[0] === version || poolsPlan[0] === version;
}

/** Adds the hooks that follow a step when the step starts, so that they are called even after a restart. */
function withHooksOfStep(facts: ControlPlaneFacts, pending: ReadonlySet<string>, next: string): ReadonlySet<string> {
  const hooks: LifecycleHook[] = ['AfterClusterUpgrade', 'AfterControlPlaneUpgrade'];
  if (doWorkersFollow(facts, next)) hooks.push('BeforeWorkersUpgrade', 'AfterWorkersUpgrade');
  return new Set([...pending, ...hooks]);
}

type Gate = 'blocked' | Extract<ControlPlaneDecision, { type: 'ask' }> | undefined;

/** Tracks hooks during a decision. A hook is requested when it is due, and passed when its response does not block. */
class Gates {
  constructor(
    readonly facts: ControlPlaneFacts,
    readonly answers: HookAnswers,
    /** Pending hooks. A hook is removed when its extensions have responded. */
    readonly pending: Set<string>,
  ) {}

  afterControlPlane(version: string): Gate {
    return this.#ifPending('AfterControlPlaneUpgrade', { kubernetesVersion: version });
  }

  beforeWorkers(version: string): Gate {
    return this.#ifPending('BeforeWorkersUpgrade', {
      fromKubernetesVersion: this.facts.minWorkersVersion,
      toKubernetesVersion: version,
    });
  }

  afterWorkers(version: string): Gate {
    return this.#ifPending('AfterWorkersUpgrade', { kubernetesVersion: version });
  }

  /** Requests BeforeClusterUpgrade, which is called only before the first step of an upgrade. */
  beforeUpgrade(from: string, next: string): Gate {
    const { hooks, topologyVersion } = this.facts;
    if (hooks === undefined) return undefined;
    const isFirstStep = !hooks.pending.has('AfterClusterUpgrade');
    const wholly = { fromKubernetesVersion: from, toKubernetesVersion: topologyVersion };
    const first = isFirstStep ? this.#ask('BeforeClusterUpgrade', wholly) : undefined;
    const step = { fromKubernetesVersion: from, toKubernetesVersion: next };
    return first ?? this.#ask('BeforeControlPlaneUpgrade', step);
  }

  #ifPending(hook: LifecycleHook, fields: HookCall['fields']): Gate {
    if (!this.pending.has(hook)) return undefined;
    const gate = this.#ask(hook, fields);
    if (gate === undefined) this.pending.delete(hook);
    return gate;
  }

  #ask(hook: LifecycleHook, fields: HookCall['fields']): Gate {
    if (!this.answers.has(hook)) return { type: 'ask', call: { hook, fields: { ...fields, ...this.#steps() } } };
    return isBlocking(this.answers, hook) ? 'blocked' : undefined;
  }

  #steps(): HookCall['fields'] {
    const { controlPlanePlan, deploymentsPlan, poolsPlan } = this.facts;
    const workers = deploymentsPlan.length > 0 ? deploymentsPlan : poolsPlan;
    return {
      ...(controlPlanePlan.length === 0 ? {} : { controlPlaneUpgrades: stepsOf(controlPlanePlan) }),
      ...(workers.length === 0 ? {} : { workersUpgrades: stepsOf(workers) }),
    };
  }
}

function stepsOf(plan: readonly string[]): readonly { readonly version: string }[] {
  return plan.map((version) => ({ version }));
}
