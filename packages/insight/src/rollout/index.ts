export {
  parseRolloutTarget,
  pauseRollout,
  restartRollout,
  resumeRollout,
  RolloutError,
  type RolloutKind,
  rolloutKinds,
  rolloutStatus,
  type RolloutTarget,
  undoRollout,
} from './rollout.js';
