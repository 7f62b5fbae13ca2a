import { type Machine, machineReasons, nameOf } from '@slipway/cluster-api';
import { formatTime } from '@slipway/kube';
import { setCondition } from '@slipway/runtime';
import { controlPlaneAnnotations, controlPlaneMachineConditions, type KubeadmControlPlane } from '../api/index.js';
import { planControlPlane } from '../control-plane/control-plane-planner.js';
import {
  type ClusterView,
  type ControlPlaneDecision,
  type ControlPlanePlan,
  type ControlPlaneView,
  formatRemediationData,
  isEtcdManaged,
} from '../control-plane/control-plane.js';
import { newControlPlaneMachine } from '../control-plane/desired-machine.js';
import { rolloutReasons } from '../control-plane/rollout-reasons.js';
import { type EtcdMember, quorumOf } from '../etcd/index.js';
import { clusterFixture } from './control-plane-objects.js';

/** The actual state of a machine, independent of its Machine object. */
interface Host {
  readonly machine: Machine;
  /** Steps until the machine has a Node. A broken machine never gets one. */
  startsIn: number;
  broken: boolean;
  etcdAlive: boolean;
  componentsAlive: boolean;
}

/** An etcd member. It responds while its host runs. */
interface Member {
  readonly id: string;
  readonly host: string;
  isLearner: boolean;
}

export type SimulatedActor = 'control plane' | `machine ${string}`;

/**
 * Simulates a control plane and its machines step by step. The planner under test makes the decisions. Machines start, join etcd,
 * fail on request, and are deleted once nothing blocks them.
 */
export class SimulatedControlPlane {
  readonly hosts = new Map<string, Host>();
  readonly members: Member[] = [];
  readonly lines: string[] = [];
  readonly cluster: ClusterView;
  /** Called with every decision before it is carried out. */
  onDecision: (decision: ControlPlaneDecision) => void = () => {};
  /** How many of the next machines never start. */
  breakNext = 0;
  leader: string | undefined;
  #names = 0;
  #ids = 0;
  #seconds = 0;
  #lastLine = '';

  constructor(
    readonly controlPlane: KubeadmControlPlane,
    cluster: Partial<Pick<ClusterView, 'spec' | 'status'>> = {},
  ) {
    this.cluster = clusterFixture(cluster);
  }

  get nowMs(): number {
    return Date.UTC(2026, 0, 1) + this.#seconds * 1000;
  }

  get machines(): Machine[] {
    return [...this.hosts.values()].map(({ machine }) => machine);
  }

  actors(): SimulatedActor[] {
    return ['control plane', ...[...this.hosts.keys()].map((name): SimulatedActor => `machine ${name}`)];
  }

  step(actor: SimulatedActor): void {
    this.#seconds += 1;
    if (actor === 'control plane') this.#stepControlPlane();
    else this.#stepMachine(actor.slice('machine '.length));
  }

  passTime(seconds: number): void {
    this.#seconds += seconds;
  }

  say(what: string): void {
    this.lines.push(`== ${what}`);
  }

  change(what: string, apply: (controlPlane: KubeadmControlPlane) => void): void {
    this.say(what);
    apply(this.controlPlane);
  }

  host(index: number): Host {
    const found = [...this.hosts.values()][index];
    if (found === undefined) throw new RangeError(`there is no machine ${index}`);
    return found;
  }

  /** Marks the machine as unhealthy and as waiting for remediation by its owner. */
  failHealthCheck({ machine }: Host): void {
    this.say(`health check of ${nameOf(machine)} fails`);
    setCondition(machine, { type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode' }, this.nowMs);
    const waiting = { reason: 'WaitingForRemediation', message: 'Waiting for remediation' };
    setCondition(machine, { type: 'OwnerRemediated', status: 'False', ...waiting }, this.nowMs);
  }

  deleteMachine({ machine }: Host): void {
    machine.metadata.deletionTimestamp ??= formatTime(this.nowMs);
  }

  isAlive({ host }: Member): boolean {
    return this.hosts.get(host)?.etcdAlive === true;
  }

  get voters(): Member[] {
    return this.members.filter(({ isLearner }) => !isLearner);
  }

  get hasQuorum(): boolean {
    return this.voters.filter((member) => this.isAlive(member)).length >= quorumOf(this.voters.length);
  }

  get isDone(): boolean {
    const { replicas = 1, version } = this.controlPlane.spec;
    const hosts = [...this.hosts.values()];
    return (
      hosts.length === replicas &&
      this.voters.length === (isEtcdManaged(this.controlPlane) ? replicas : 0) &&
      this.members.length === this.voters.length &&
      hosts.every(
        ({ machine, componentsAlive, etcdAlive }) =>
          machine.metadata.deletionTimestamp === undefined &&
          machine.spec.version === version &&
          machine.status?.nodeRef !== undefined &&
          componentsAlive &&
          etcdAlive,
      )
    );
  }

  /** Nodes whose machines run no component any longer. */
  get silentNodes(): ReadonlySet<string> {
    const silent = [...this.hosts.values()].filter(
      ({ machine, etcdAlive, componentsAlive }) =>
        machine.status?.nodeRef !== undefined && !etcdAlive && !componentsAlive,
    );
    return new Set(silent.map(({ machine }) => nameOf(machine)));
  }

  get view(): ControlPlaneView {
    const { controlPlane, cluster, nowMs } = this;
    const isKnown = isEtcdManaged(controlPlane) && this.voters.length > 0 && this.hasQuorum;
    const machines = this.machines.map((machine) => ({
      machine,
      config: undefined,
      infrastructure: undefined,
      outdated: rolloutReasons({ controlPlane, machine, config: undefined, infrastructure: undefined, nowMs }),
    }));
    const members = this.members.map(
      ({ id, host, isLearner }): EtcdMember => ({ id, name: host, isLearner, alarms: [] }),
    );
    const etcd = isKnown ? { members, leader: this.leader } : undefined;
    return { controlPlane, cluster, machines, nowMs, etcd, silentNodes: this.silentNodes };
  }

  summary(): string {
    const hosts = [...this.hosts.values()].map((host) => `${nameOf(host.machine)} ${this.#stateOf(host)}`);
    const etcd = isEtcdManaged(this.controlPlane)
      ? `etcd ${this.voters.filter((member) => this.isAlive(member)).length}/${this.voters.length}`
      : 'etcd external';
    return [...hosts, etcd].join(', ');
  }

  #stateOf({ machine, broken, etcdAlive, componentsAlive }: Host): string {
    const version = machine.spec.version ?? '';
    if (machine.metadata.deletionTimestamp !== undefined) return `${version} deleting`;
    if (machine.status?.nodeRef === undefined) return `${version} ${broken ? 'stuck' : 'starting'}`;
    return etcdAlive && componentsAlive ? version : `${version} sick`;
  }

  #stepControlPlane(): void {
    this.#electLeader();
    this.#report();
    const plan = planControlPlane(this.view);
    const { decision } = plan;
    const line = `KubeadmControlPlane cp: ${describe(decision)}`;
    // Record a wait once, not in every reconcile.
    if (decision.type !== 'maintain' && line !== this.#lastLine) this.lines.push(line);
    this.#lastLine = line;
    this.#note(plan);
    this.onDecision(decision);
    this.#carryOut(decision);
  }

  #note({ notes, dropRemediationInProgress }: ControlPlanePlan): void {
    for (const { machine, condition } of notes) {
      const found = this.hosts.get(machine)?.machine;
      if (found?.status === undefined) continue;
      if (condition !== undefined) setCondition(found, condition, this.nowMs);
      else found.status.conditions = found.status.conditions?.filter(({ type }) => type !== 'OwnerRemediated') ?? [];
      if (condition !== undefined && condition.reason !== 'MachineDeleting')
        this.#recordOnce(`Machine ${machine}: ${condition.reason}: ${condition.message ?? ''}`);
    }
    if (dropRemediationInProgress) this.#dropRemediation();
  }

  #recordOnce(line: string): void {
    if (!this.lines.slice(-6).includes(line)) this.lines.push(line);
  }

  #dropRemediation(): void {
    delete this.controlPlane.metadata.annotations?.[controlPlaneAnnotations.remediationInProgress];
  }

  #carryOut(decision: ControlPlaneDecision): void {
    switch (decision.type) {
      case 'createFirst':
      case 'create':
        return this.#create(decision.failureDomain);
      case 'delete':
        this.#moveLeadership(decision.leadership?.candidates);
        return this.#delete(decision.machine);
      case 'remediate':
        this.#moveLeadership(decision.leadership?.candidates);
        this.controlPlane.metadata.annotations = {
          ...this.controlPlane.metadata.annotations,
          [controlPlaneAnnotations.remediationInProgress]: formatRemediationData(decision.data),
        };
        return this.#delete(decision.machine);
      case 'release':
        this.#moveLeadership(decision.leadership?.candidates);
        if (decision.member !== undefined) this.#removeMember(decision.member.id);
        delete this.hosts.get(decision.machine)?.machine.metadata.annotations?.[
          controlPlaneAnnotations.preTerminateCleanup
        ];
        return undefined;
      case 'removeMember':
        return this.#removeMember(decision.member.id);
      case 'wait':
      case 'maintain':
        return undefined;
    }
  }

  #moveLeadership(candidates: readonly string[] = []): void {
    const [next] = candidates;
    if (next !== undefined) this.leader = next;
  }

  #removeMember(id: string): void {
    const index = this.members.findIndex((member) => member.id === id);
    const [gone] = index < 0 ? [] : this.members.splice(index, 1);
    const host = gone === undefined ? undefined : this.hosts.get(gone.host);
    if (host !== undefined) host.etcdAlive = false;
  }

  #delete(name: string): void {
    const host = this.hosts.get(name);
    if (host !== undefined) this.deleteMachine(host);
  }

  #create(failureDomain: string | undefined): void {
    this.#names += 1;
    const name = `cp-${this.#names}`;
    const machine = newControlPlaneMachine(this.controlPlane, this.cluster, name, failureDomain) as Machine;
    machine.metadata.uid = `${name}-uid`;
    machine.metadata.creationTimestamp = formatTime(this.nowMs);
    machine.spec.providerID = `dev://${name}`;
    machine.status = {};
    this.#dropRemediation();
    const broken = this.breakNext > 0;
    if (broken) this.breakNext -= 1;
    this.hosts.set(name, { machine, startsIn: 2, broken, etcdAlive: false, componentsAlive: false });
  }

  #stepMachine(name: string): void {
    const host = this.hosts.get(name);
    if (host === undefined) return;
    if (host.machine.metadata.deletionTimestamp !== undefined) return this.#stepDeleting(name, host);
    if (host.machine.status?.nodeRef !== undefined) return this.#promote(name);
    if (host.broken || host.startsIn > 0) {
      host.startsIn -= 1;
      return;
    }
    this.#join(name, host);
  }

  /** Adds an etcd member. That needs a quorum. The member is a learner first, and votes when it has caught up. */
  #join(name: string, host: Host): void {
    const managed = isEtcdManaged(this.controlPlane);
    if (managed) {
      if (this.voters.length > 0 && !this.hasQuorum) return;
      this.#ids += 1;
      this.members.push({ id: String(this.#ids), host: name, isLearner: this.members.length > 0 });
    }
    host.etcdAlive = true;
    host.componentsAlive = true;
    const { status } = host.machine;
    if (status !== undefined) status.nodeRef = { name };
    this.lines.push(`Machine ${name}: up`);
    const initialization = { controlPlaneInitialized: true };
    this.controlPlane.status = { ...this.controlPlane.status, initialization };
  }

  #promote(name: string): void {
    const member = this.members.find(({ host }) => host === name);
    if (member !== undefined && this.hasQuorum && this.isAlive(member)) member.isLearner = false;
  }

  #stepDeleting(name: string, host: Host): void {
    const { machine } = host;
    const hooks = Object.keys(machine.metadata.annotations ?? {}).filter((key) => key.startsWith('pre-terminate'));
    if (hooks.length > 0) {
      const reason = machineReasons.waitingForPreTerminateHook;
      setCondition(machine, { type: 'Deleting', status: 'True', reason }, this.nowMs);
      return;
    }
    this.hosts.delete(name);
    // The cluster state is lost with the last machine: the next machine initializes a new cluster.
    if (this.hosts.size === 0) this.members.length = 0;
    this.lines.push(`Machine ${name}: gone`);
  }

  #electLeader(): void {
    const alive = this.voters.filter((member) => this.isAlive(member));
    if (!this.hasQuorum) this.leader = undefined;
    else if (!alive.some(({ host }) => host === this.leader)) this.leader = alive[0]?.host;
  }

  /** Updates the conditions of the Machines from the simulated state. */
  #report(): void {
    for (const { machine, componentsAlive } of this.hosts.values()) {
      if (machine.status?.nodeRef === undefined) continue;
      const member = this.members.find(({ host }) => host === nameOf(machine));
      const { etcdMemberHealthy, etcdPodHealthy, ...components } = controlPlaneMachineConditions;
      const set = (type: string, ok: boolean): void =>
        setCondition(machine, { type, status: ok ? 'True' : 'False', reason: 'Seen' }, this.nowMs);
      for (const type of Object.values(components)) set(type, componentsAlive);
      if (!isEtcdManaged(this.controlPlane)) continue;
      const alive = member !== undefined && this.isAlive(member);
      set(etcdPodHealthy, alive);
      set(etcdMemberHealthy, alive && this.hasQuorum && !member.isLearner);
    }
  }
}

function describe(decision: ControlPlaneDecision): string {
  switch (decision.type) {
    case 'createFirst':
      return `create the first machine, ${decision.reason}`;
    case 'create':
      return `create a machine${decision.failureDomain === undefined ? '' : ` in ${decision.failureDomain}`}, ${decision.reason}: ${decision.message}`;
    case 'delete':
      return `delete ${decision.machine}, ${decision.reason}: ${decision.message}${movedTo(decision.leadership?.candidates)}`;
    case 'remediate':
      return `remediate ${decision.machine}, try ${decision.data.retryCount}${movedTo(decision.leadership?.candidates)}`;
    case 'release':
      return `release ${decision.machine}${decision.member === undefined ? '' : `, its member leaves etcd`}${movedTo(decision.leadership?.candidates)}`;
    case 'removeMember':
      return `remove member ${decision.member.name}: ${decision.message}`;
    case 'wait':
      return `wait, ${decision.reason}: ${decision.message}`;
    case 'maintain':
      return 'maintain';
  }
}

function movedTo(candidates: readonly string[] | undefined): string {
  return candidates === undefined ? '' : `; leadership goes to ${candidates[0]}`;
}
