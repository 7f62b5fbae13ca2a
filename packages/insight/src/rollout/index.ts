export {
  parseRolloutTarget,
  pauseRollout,
  restartRollout,
  resumeRollout,
  RolloutError,
  type RolloutKind,
  rolloutKinds,
  rolloutStatus,
  type RolloutStatus,
  type RolloutTarget,
  undoRollout,
} from './rollout.js';
