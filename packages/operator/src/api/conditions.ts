export const conditionTypes = {
  preflightCheckPassed: 'PreflightCheckPassed',
  providerInstalled: 'ProviderInstalled',
  providerUpgraded: 'ProviderUpgraded',
  ready: 'Ready',
} as const;

/** Upstream's, some of which end in the word Reason. All fit what the API server takes for a reason. */
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
  /** Ours: upstream retries without a word. */
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
  /** Ours: a core that others still need stays until they are gone. */
  stillNeeded: 'OtherProvidersInstalled',
} as const;

export const upgradeReasons = { upgraded: 'ProviderUpgraded', failed: 'ComponentsUpgradeError' } as const;

export const readyReasons = {
  available: 'DeploymentAvailable',
  noCondition: 'NoDeploymentAvailableConditionReason',
  /** Ours: what was true of the old version says nothing of the new one. */
  upgrading: 'UpgradeInProgress',
  noDeployment: 'NoDeployment',
  /** On an embedded plane, which runs what it has built in and nothing else. */
  noController: 'NoDeploymentController',
  running: 'ControllersRunning',
  switchedOff: 'SwitchedOff',
} as const;
