export const conditionTypes = {
  preflightCheckPassed: 'PreflightCheckPassed',
  providerInstalled: 'ProviderInstalled',
  providerUpgraded: 'ProviderUpgraded',
  ready: 'Ready',
} as const;

/** Reasons of upstream, some of which end in "Reason". All match the pattern that the API requires of condition reasons. */
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
  /** Not in upstream, which retries without reporting the missing Secret. */
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
  /** Not in upstream: the core provider is deleted only after all other providers. */
  stillNeeded: 'OtherProvidersInstalled',
} as const;

export const upgradeReasons = { upgraded: 'ProviderUpgraded', failed: 'ComponentsUpgradeError' } as const;

export const readyReasons = {
  available: 'DeploymentAvailable',
  noCondition: 'NoDeploymentAvailableConditionReason',
  /** Not in upstream: reported during an upgrade, because the readiness of the old version does not apply to the new one. */
  upgrading: 'UpgradeInProgress',
  noDeployment: 'NoDeployment',
  /** Reported on an embedded management plane, which runs only built-in providers. */
  noController: 'NoDeploymentController',
  running: 'ControllersRunning',
  switchedOff: 'SwitchedOff',
} as const;
