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
  /** What was removed does not come back by itself, however long its machine still runs. */
  readonly #removed = new Set<bigint>();
  #leader: string | undefined;
  #term = 1n;

  constructor(seed: string) {
    this.id = idOf(`cluster ${seed}`);
  }

  get members(): readonly EtcdMember[] {
    return [...this.#members.values()];
  }

  get leader(): EtcdMember | undefined {
    return this.#leader === undefined ? undefined : this.#members.get(this.#leader);
  }

  /** Grows with every election. */
  get term(): bigint {
    return this.#term;
  }

  /** The member of a machine that runs and was not removed. */
  running(name: string): EtcdMember | undefined {
    return this.#running.has(name) ? this.#members.get(name) : undefined;
  }

  /** Enough members run to agree on anything. */
  get hasQuorum(): boolean {
    let running = 0;
    for (const name of this.#running) if (this.#members.has(name)) running += 1;
    return running > this.#members.size / 2;
  }

  /**
   * A machine starts its member; the uid makes the id, so that it is the same after a restart. Undefined for one that was
   * removed.
   */
  start(name: string, uid: string, address: string): EtcdMember | undefined {
    const id = idOf(uid);
    if (this.#removed.has(id)) return undefined;
    // Whoever comes when nobody is left to join runs `kubeadm init`, and begins a cluster of his own.
    if (!this.#members.has(name) && !this.#isAnyRunning()) this.#members.clear();
    const member = this.#members.get(name) ?? { id, name, address };
    this.#members.set(name, member);
    this.#running.add(name);
    if (this.leader === undefined) this.#leader = name;
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
    this.#removed.add(id);
    if (this.#leader === member.name) this.#elect();
    return true;
  }

  /** Whether the member is there and runs, and so leads now. */
  moveLeader(id: bigint): boolean {
    const member = this.members.find((candidate) => candidate.id === id);
    if (member === undefined || !this.#running.has(member.name)) return false;
    this.#leader = member.name;
    this.#term += 1n;
    return true;
  }

  #isAnyRunning(): boolean {
    return this.members.some(({ name }) => this.#running.has(name));
  }

  #elect(): void {
    this.#leader = this.members.find(({ name }) => this.#running.has(name))?.name;
    this.#term += 1n;
  }
}

/** 63 bits, never zero: what prints alike in every language. */
function idOf(seed: string): bigint {
  return (createHash('sha256').update(seed).digest().readBigUInt64BE() >> 1n) | 1n;
}
