/** A member of the etcd cluster as it tells of itself. Its name is the name of its Node; a member that starts has none. */
export interface EtcdMember {
  readonly id: string;
  readonly name: string;
  readonly isLearner: boolean;
  /** NOSPACE or CORRUPT. */
  readonly hasAlarm: boolean;
}

export interface EtcdState {
  readonly members: readonly EtcdMember[];
  /** The name of the leader; undefined while there is none or nobody knows. */
  readonly leader: string | undefined;
}

export interface EtcdChange {
  readonly add?: boolean;
  /** The name of the member that goes. */
  readonly remove?: string;
}

export interface EtcdTarget {
  readonly voting: number;
  readonly learners: number;
  readonly unhealthy: number;
  readonly quorum: number;
  readonly isSafe: boolean;
}

export function quorumOf(votingMembers: number): number {
  return Math.floor(votingMembers / 2) + 1;
}

/**
 * The etcd cluster as it would be after a change, by the worst that can happen: a new member does not come up, except where
 * there is at most one, since nothing could ever grow otherwise. Safe when a majority is left to agree, and when no learner
 * is on its way: the members that vote are about to change then.
 */
export function etcdTarget(
  state: EtcdState,
  change: EtcdChange,
  isMemberHealthy: (member: EtcdMember) => boolean,
): EtcdTarget {
  const starting = state.members.filter(({ name }) => name === '').length;
  const staying = state.members.filter(({ name }) => name !== '' && name !== change.remove);
  const adding = change.add === true ? 1 : 0;
  const unhealthyNew = adding === 1 && state.members.length > 1 ? 1 : 0;
  const learners = starting + staying.filter(({ isLearner }) => isLearner).length;
  const voting = adding + staying.filter(({ isLearner }) => !isLearner).length;
  const unhealthy = starting + unhealthyNew + staying.filter((member) => !isMemberHealthy(member)).length;
  const quorum = quorumOf(voting);
  return { voting, learners, unhealthy, quorum, isSafe: learners === 0 && voting - unhealthy >= quorum };
}
