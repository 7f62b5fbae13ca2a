/** Ids are 64 bits wide, unsigned: they do not fit into a number. */
export type EtcdId = bigint;

export interface EtcdMember {
  readonly id: EtcdId;
  /** The name of the Node it runs on, by kubeadm; empty while the member has not started yet. */
  readonly name: string;
  readonly isLearner: boolean;
  readonly peerUrls: readonly string[];
  /** Empty while the member has not started yet. */
  readonly clientUrls: readonly string[];
}

/** Types that are not known here are named by their number. */
export type EtcdAlarmType = 'NONE' | 'NOSPACE' | 'CORRUPT' | `${number}`;

export interface EtcdAlarm {
  readonly memberId: EtcdId;
  readonly type: EtcdAlarmType;
}

/** What one member says of itself. */
export interface EtcdStatus {
  readonly memberId: EtcdId;
  /** Zero while there is no leader. */
  readonly leaderId: EtcdId;
  readonly version: string;
  readonly databaseBytes: bigint;
  readonly raftTerm: bigint;
  readonly raftIndex: bigint;
  readonly isLearner: boolean;
  /** For people, not for decisions: those go by alarms. */
  readonly errors: readonly string[];
}

/** What the cluster agreed on: asked of one member, answered by a quorum. */
export interface EtcdState {
  readonly members: readonly EtcdMember[];
  readonly leader: EtcdMember;
  readonly alarms: readonly EtcdAlarm[];
}

export function memberNamed(members: readonly EtcdMember[], name: string): EtcdMember | undefined {
  return members.find((member) => member.name === name);
}

/** Alarms that are raised for a member, by their names. */
export function alarmsOf(member: EtcdMember, alarms: readonly EtcdAlarm[]): EtcdAlarmType[] {
  return alarms.filter(({ memberId, type }) => memberId === member.id && type !== 'NONE').map(({ type }) => type);
}

/** Names for messages; a member that has not started yet is known by its id. */
export function memberNames(members: readonly EtcdMember[]): string[] {
  return members.map(({ name, id }) => (name === '' ? `name not set yet for member with id ${id}` : name));
}
