export const conditionTypes = {
  preflightCheckPassed: 'PreflightCheckPassed',
  providerInstalled: 'ProviderInstalled',
  providerUpgraded: 'ProviderUpgraded',
  ready: 'Ready',
} as const;

/** Upstream's reasons, some of which end in "Reason". All match the pattern of condition reasons. */
export const preflightReasons = {
  passed: 'PreflightChecksPassed',
  moreThanOne: 'MoreThanOneExists',
  version: 'IncorrectVersionFormat',
  coreName: 'IncorrectCoreProviderNameReason',
  emptyVersion: 'EmptyVersionReason',
  fetchConfig: 'FetchConfigValidationError',
  waitingForCore: 'WaitingForCoreProviderReady',
  githubToken: 'InvalidGithubTokenError',
  downgrade: 'UnsupportedProviderDowngradeReason',
  /** Not in upstream, which retries without reporting. */
  configSecret: 'ConfigSecretNotFound',
} as const;

export const installReasons = {
  installed: 'ProviderInstalled',
  unknown: 'UnknownProvider',
  contract: 'CAPIVersionIncompatibility',
  fetch: 'ComponentsFetchError',
  customization: 'ComponentsCustomizationError',
  patch: 'ComponentsPatchError',
  image: 'ComponentsImageOverrideError',
  deletion: 'OldComponentsDeletionError',
  failed: 'InstallFailed',
  timedOut: 'TimedOutWaitingForDeployment',
  hash: 'FailedToUpdateProvidersHash',
  /** Not in upstream: the core is deleted only after all other providers. */
  stillNeeded: 'OtherProvidersInstalled',
} as const;

export const upgradeReasons = { upgraded: 'ProviderUpgraded', failed: 'ComponentsUpgradeError' } as const;

export const readyReasons = {
  available: 'DeploymentAvailable',
  noCondition: 'NoDeploymentAvailableConditionReason',
  /** Not in upstream: the readiness of the old version does not apply to the new one. */
  upgrading: 'UpgradeInProgress',
  noDeployment: 'NoDeployment',
  /** The embedded plane runs only built-in providers. */
  noController: 'NoDeploymentController',
  running: 'ControllersRunning',
  switchedOff: 'SwitchedOff',
} as const;
