import { createHash } from 'node:crypto';

/** One member of a simulated etcd, named like the Node that runs it. */
export interface EtcdMember {
  readonly id: bigint;
  readonly name: string;
  readonly address: string;
}

/**
 * The membership of a cluster's etcd. A member stays until somebody removes it: a machine that goes without that leaves a
 * dead member behind, which counts for the quorum as on a real cluster.
 */
export class EtcdCluster {
  readonly id: bigint;
  readonly #members = new Map<string, EtcdMember>();
  /** Members whose machines run. */
  readonly #running = new Set<string>();
  #leader: string | undefined;

  constructor(seed: string) {
    this.id = idOf(`cluster ${seed}`);
  }

  get members(): readonly EtcdMember[] {
    return [...this.#members.values()];
  }

  get leader(): EtcdMember | undefined {
    return this.#leader === undefined ? undefined : this.#members.get(this.#leader);
  }

  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  /** Enough members run to agree on anything. */
  get hasQuorum(): boolean {
    const running = this.members.filter(({ name }) => this.#running.has(name)).length;
    return running > this.#members.size / 2;
  }

  /** A machine starts its member; the uid makes the id, so that it is the same after a restart. */
  start(name: string, uid: string, address: string): EtcdMember {
    const known = this.#members.get(name);
    const member = known ?? { id: idOf(uid), name, address };
    this.#members.set(name, member);
    this.#running.add(name);
    this.#leader ??= name;
    return member;
  }

  /** The machine is gone, its membership is not. */
  stop(name: string): void {
    this.#running.delete(name);
    if (this.#leader === name) this.#elect();
  }

  /** Whether there was such a member. */
  remove(id: bigint): boolean {
    const member = this.members.find((candidate) => candidate.id === id);
    if (member === undefined) return false;
    this.#members.delete(member.name);
    if (this.#leader === member.name) this.#elect();
    return true;
  }

  /** Whether the member is there and runs, and so leads now. */
  moveLeader(id: bigint): boolean {
    const member = this.members.find((candidate) => candidate.id === id);
    if (member === undefined || !this.#running.has(member.name)) return false;
    this.#leader = member.name;
    return true;
  }

  #elect(): void {
    this.#leader = this.members.find(({ name }) => this.#running.has(name))?.name;
  }
}

/** 63 bits, never zero: what prints alike in every language. */
function idOf(seed: string): bigint {
  return (createHash('sha256').update(seed).digest().readBigUInt64BE() >> 1n) | 1n;
}
