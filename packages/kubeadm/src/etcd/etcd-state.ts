/** NOSPACE and CORRUPT are what etcd raises; others are named by their number. */
export type EtcdAlarm = 'NOSPACE' | 'CORRUPT' | `${number}`;

export interface EtcdMember {
  /** In decimal: 64 unsigned bits do not fit into a number. */
  readonly id: string;
  /** The name of the Node it runs on, by kubeadm; empty while the member has not started yet. */
  readonly name: string;
  readonly isLearner: boolean;
  /** Raised for this member. */
  readonly alarms: readonly EtcdAlarm[];
}

/** What the cluster agreed on: asked of one member, answered by a quorum. */
export interface EtcdState {
  readonly members: readonly EtcdMember[];
  /** The name of the member that leads; undefined while there is none or nobody knows. */
  readonly leader: string | undefined;
}

export function memberNamed(members: readonly EtcdMember[], name: string): EtcdMember | undefined {
  return members.find((member) => member.name === name);
}

/** Names for messages; a member that has not started yet is known by its id. */
export function memberNames(members: readonly EtcdMember[]): string[] {
  return members.map(({ name, id }) => (name === '' ? `name not set yet for member with id ${id}` : name));
}
