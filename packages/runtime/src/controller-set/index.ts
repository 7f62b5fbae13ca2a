export type { Composition, CompositionOptions } from './compose-controllers.js';
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
export type { Setting } from './settings.js';
export { durationSetting, patternsSetting, SettingError, Settings, wordsSetting } from './settings.js';
export type { ChosenController, ChosenControllers, ControllerChoices } from './select-controllers.js';
export { concurrencyFlagOf, ControllerChoiceError, selectControllers } from './select-controllers.js';
