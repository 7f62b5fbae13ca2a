export type { Composition } from './compose-controllers.js';
export { composeControllers } from './compose-controllers.js';
export type {
  AdmissionWebhook,
  ControllerContext,
  ControllerDescriptor,
  ControllerSet,
  ControllerWebhooks,
} from './controller-set.js';
export type { FeatureGate } from './feature-gates.js';
export { FeatureGateError, FeatureGates } from './feature-gates.js';
export type { RemoteLimits, SharedService } from './shared-service.js';
export type { Setting } from './settings.js';
export { durationSetting, patternsSetting, SettingError, Settings, wordsSetting } from './settings.js';
export type { ChosenControllers, ControllerChoices } from './select-controllers.js';
export { concurrencyFlagOf, ControllerChoiceError, selectControllers } from './select-controllers.js';
