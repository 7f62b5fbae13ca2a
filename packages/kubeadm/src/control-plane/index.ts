export {
  createKubeadmControlPlaneController,
  etcdCallTimeout,
  etcdDialTimeout,
  type KubeadmControlPlaneOptions,
} from './controller.js';
export type { ControlPlaneView, MachineView, ObservedKubeadmConfig } from './control-plane.js';
export type {
  ControlPlaneDecision,
  ControlPlanePlan,
  LeadershipMove,
  PreflightFindings,
  RemediationNote,
  WaitReason,
} from './control-plane.js';
export { planControlPlane } from './control-plane-planner.js';
export { rolloutReasons } from './rollout-reasons.js';
