import { type ControlPlaneView, isEtcdManaged, type MachineView } from './control-plane.js';
import type { LeadershipMove } from './control-plane-plan.js';
import { leadershipCandidates, memberNameOf } from './etcd-members.js';

export interface LeadershipPlan {
  readonly move: LeadershipMove | undefined;
  readonly problem?: string;
}

/** Who takes over before a machine goes whose member leads. An etcd that loses its leader stands still until it has elected. */
export function planLeadership(view: ControlPlaneView, leaving: MachineView): LeadershipPlan {
  if (!isEtcdManaged(view.controlPlane)) return { move: undefined };
  const from = memberNameOf(leaving);
  const leader = view.etcd?.leader;
  if (leader === undefined)
    return { move: undefined, problem: 'unable to move etcd leadership, failed to detect etcd leader' };
  if (from === undefined || from !== leader) return { move: undefined };
  const candidates = leadershipCandidates(view, leaving);
  if (candidates.length > 0) return { move: { from, candidates } };
  return {
    move: undefined,
    problem: 'unable to move etcd leadership, no candidate machines for etcd leadership found',
  };
}
