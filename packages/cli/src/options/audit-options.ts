import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationToMs, tryParseDuration } from '@slipway/kube';

/** Flags of the audit log, with the names and defaults of kube-apiserver. */
export interface AuditFlags {
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  readonly auditLogMaxsize: number;
  readonly auditLogMaxage: number;
  readonly auditLogMaxbackup: number;
  readonly auditWebhookConfigFile?: string;
  readonly auditWebhookBatchMaxSize: number;
  readonly auditWebhookBatchMaxWait: number;
}

export function addAuditOptions(command: Command): Command {
  return command
    .option(
      '--audit-policy-file <file>',
      'Audit policy (audit.k8s.io/v1 Policy) that selects which requests are audited.',
    )
    .option(
      '--audit-log-path <file>',
      'File to append audit events to, one JSON object per line. - is standard output.',
    )
    .addOption(
      count('--audit-log-maxsize <megabytes>', 'Size at which the audit log is rotated. 0 disables rotation.', 100),
    )
    .addOption(
      count('--audit-log-maxage <days>', 'Days to keep rotated audit logs. 0 keeps them regardless of their age.', 366),
    )
    .addOption(count('--audit-log-maxbackup <number>', 'Number of rotated audit logs to keep. 0 keeps all.', 100))
    .option(
      '--audit-webhook-config-file <file>',
      'Kubeconfig of a webhook that receives audit events in batches (EventList).',
    )
    .addOption(
      count('--audit-webhook-batch-max-size <number>', 'Number of events in a batch for the audit webhook.', 400),
    )
    .addOption(
      new Option('--audit-webhook-batch-max-wait <duration>', 'Time after which an incomplete batch is sent.')
        .default(30_000, '30s')
        .argParser(parseWait),
    );
}

function count(flags: string, description: string, initial: number): Option {
  return new Option(flags, description).default(initial).argParser((text) => {
    if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('The value must be a number, 0 or greater.');
    return Number(text);
  });
}

function parseWait(text: string): number {
  const duration = tryParseDuration(text);
  const ms = duration === undefined ? 0 : durationToMs(duration);
  if (ms <= 0) throw new InvalidArgumentError('The value must be a duration above zero, for example 30s.');
  return ms;
}
