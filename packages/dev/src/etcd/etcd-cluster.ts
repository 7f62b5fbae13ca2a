import { createHash } from 'node:crypto';

/** One member of a simulated etcd. It has the name of its Node. */
export interface EtcdMember {
  readonly id: bigint;
  readonly name: string;
  readonly address: string;
}

/**
 * The membership of a simulated etcd cluster. A member stays until a call removes it. If a machine is deleted without that call,
 * its member stays and counts for the quorum, as in a real cluster.
 */
export class EtcdCluster {
  readonly id: bigint;
  readonly #members = new Map<string, EtcdMember>();
  /** Members whose machines run. */
  readonly #running = new Set<string>();
  /** IDs of removed members. They do not rejoin, even while their machine still runs. */
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

  /** The Raft term, which grows with every election. */
  get term(): bigint {
    return this.#term;
  }

  /** Returns the member of a machine if it runs and was not removed. */
  running(name: string): EtcdMember | undefined {
    return this.#running.has(name) ? this.#members.get(name) : undefined;
  }

  /** Whether enough members run for a quorum. */
  get hasQuorum(): boolean {
    let running = 0;
    for (const name of this.#running) if (this.#members.has(name)) running += 1;
    return running > this.#members.size / 2;
  }

  /**
   * Starts the member of a machine. The ID is derived from the uid, so that it is the same after a restart. Returns undefined if
   * the member was removed.
   */
  start(name: string, uid: string, address: string): EtcdMember | undefined {
    const id = idOf(uid);
    if (this.#removed.has(id)) return undefined;
    // A machine without other members to join runs `kubeadm init` and starts a new etcd cluster.
    if (!this.#members.has(name) && !this.#isAnyRunning()) this.#members.clear();
    const member = this.#members.get(name) ?? { id, name, address };
    this.#members.set(name, member);
    this.#running.add(name);
    if (this.leader === undefined) this.#leader = name;
    return member;
  }

  /** Stops the member of a machine. It stays in the member list until it is removed. */
  stop(name: string): void {
    this.#running.delete(name);
    if (this.#leader === name) this.#elect();
  }

  /** Removes a member. Returns whether it existed. */
  remove(id: bigint): boolean {
    const member = this.members.find((candidate) => candidate.id === id);
    if (member === undefined) return false;
    this.#members.delete(member.name);
    this.#removed.add(id);
    if (this.#leader === member.name) this.#elect();
    return true;
  }

  /** Makes the member the leader. Returns false if it does not exist or does not run. */
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

/** Returns an ID of 63 bits that is never zero, so that signed and unsigned readers print the same number. */
function idOf(seed: string): bigint {
  return (createHash('sha256').update(seed).digest().readBigUInt64BE() >> 1n) | 1n;
}
