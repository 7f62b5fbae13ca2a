import type { Condition } from '@slipway/runtime';
import { type Observed, refOf } from '../objects/index.js';
import { oldConditionsOf } from '../tree/index.js';
import type { CauseName } from './causes.js';
import type { WaitState } from './cause.js';

/** The cause for each reason of an infrastructure provider that has exactly one cause. */
const byReason = {
  VCenterUnreachable: ['VCenterUnreachable'],
  CredentialsRejected: [
    'CredentialsMissing',
    'InvalidLogin',
    'AccountLocked',
    'PasswordExpired',
    'PrivilegesMissing',
    'SecretAlreadyInUse',
    'SecretKeysMissing',
    'SecretNotAvailable',
    'SecretNotFound',
    'SettingSecretOwnerReferenceFailed',
  ],
  MachineLost: ['DisksLost', 'MachineEnded', 'NotFoundByBIOSUUID', 'PodLost'],
  InfrastructureMisconfigured: [
    'AllocationExhausted',
    'BackendNotSupported',
    'BootstrapDataNotUsable',
    'BootstrapFormatUnsupported',
    'ClassNotFound',
    'FailureDomainNotFound',
    'GatewayApiMissing',
    'HostNotSupported',
    'ImageChecksumMismatch',
    'ImageMissing',
    'ImageTooLargeForDisk',
    'ImagesInvalid',
    'InsufficientCapacity',
    'InvalidBIOSUUID',
    'InvalidHostName',
    'InvalidSpec',
    'InvalidVCenterVersion',
    'MissingPCIDevices',
    'NameTaken',
    'NameTooLong',
    'NetworkTaken',
    'NodeFilesMissing',
    'PodUnschedulable',
    'PortTaken',
    'ResourcePoolNotFound',
    'SecretTaken',
    'UnknownBootstrapFormat',
    'UserDataMissing',
    'WaitingForStaticIPAllocation',
  ],
  InfrastructureFailed: [
    'BalancerSilent',
    'BootstrapFailed',
    'CrashLooping',
    'DataPlaneFailed',
    'GuestPanicked',
    'HostUnreachable',
    'IOError',
    'ImageDownloadFailed',
    'StartFailed',
    'TagsAttachmentFailed',
    'TaskFailed',
    'UnexpectedPowerState',
    'ValidationFailed',
  ],
} as const satisfies Partial<Record<CauseName, readonly string[]>>;

/** Cause by reason. Exported for the test that compares it with the reasons of the controllers. */
export const causeOfReason: ReadonlyMap<string, CauseName> = new Map(
  Object.entries(byReason).flatMap(([cause, reasons]) => reasons.map((reason) => [reason, cause as CauseName])),
);

const absence =
  /NotFound$|Missing$|DoesNotExist$|NotExist$|Invalid|Unsupported|NotSupported|Exhausted|Forbidden|Denied/;
const failure = /Fail(ed|ure)?$|Error$|Unreachable|TimedOut|Crash|Lost$|Rejected$/;
const credentials =
  /with the credentials for vCenter|must have the keys username|credentials|identity|no vCenter server is set/i;
const badLogin = /cannot log in|InvalidLogin|incorrect user name or password|Cannot complete login/i;

/**
 * Returns the state that an unmet condition reports: from its reason, from the severity of the deprecated condition with the same
 * message or reason, or, for reasons of other providers, from the wording of the reason.
 */
export function stateOf(object: Observed, condition: Condition): WaitState {
  const { reason } = condition;
  if (/^Waiting|^NotYet|Provisioning$|^Pending/.test(reason)) return 'progress';
  const severity = severityOf(object, condition);
  if (severity === 'Error' || severity === 'Warning') return absence.test(reason) ? 'blocked' : 'failing';
  if (absence.test(reason)) return 'blocked';
  return failure.test(reason) ? 'failing' : 'progress';
}

function severityOf(object: Observed, { type, reason, message }: Condition): string | undefined {
  if (message === '') return undefined;
  const old = oldConditionsOf(object).filter((one) => one.status !== 'True' && one.severity !== undefined);
  const same = old.find((one) => one.type === type && one.message === message);
  return (same ?? old.find((one) => one.message === message || one.reason === reason))?.severity;
}

const webhook = /failed calling webhook "?([^":]*)/;
const extension = /failed to call extension handlers? |failed to discover extension|extension handler "/;

/** Returns the cause of an error that any object may report in a message: of a webhook or a runtime extension. */
export function causeOfMessage(message: string): CauseName | undefined {
  if (webhook.test(message)) return 'WebhookUnavailable';
  return extension.test(message) ? 'ExtensionUnavailable' : undefined;
}

export function isInfrastructure(object: Observed): boolean {
  return /(^|\.)infrastructure\./.test(refOf(object).group) && !/(Template|Identity)$/.test(object.kind);
}

/** Returns the cause that a condition of an infrastructure object reports, or undefined while its provider is working. */
export function infrastructureCause(object: Observed, condition: Condition): CauseName | undefined {
  const { reason, message } = condition;
  const known = causeOfReason.get(reason);
  if (known === 'VCenterUnreachable') return vcenterCause(message);
  if (known !== undefined) return known;
  const common = causeOfMessage(message);
  if (common !== undefined) return common;
  const state = stateOf(object, condition);
  if (state === 'progress' || state === 'held') return undefined;
  return state === 'blocked' ? 'InfrastructureMisconfigured' : 'InfrastructureFailed';
}

/**
 * Distinguishes the causes of a failed vCenter connection by the message, because the provider reports all of them with one
 * reason.
 */
function vcenterCause(message: string): CauseName {
  return badLogin.test(message) || credentials.test(message) ? 'CredentialsRejected' : 'VCenterUnreachable';
}
