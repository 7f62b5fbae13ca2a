import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type AuditBackend,
  AuditLogBackend,
  type AuditOptions,
  AuditPolicyError,
  AuditWebhookBackend,
  parseAuditPolicy,
} from '@slipway/apiserver';
import { type Logger, systemClock, systemRandom } from '@slipway/base';
import { connectionOf, KubeconfigError, loadKubeconfig } from '@slipway/runtime';
import { CliError, exitCodes, onFile } from '../errors/index.js';
import type { AuditFlags } from '../options/audit-options.js';
import { webhookSender } from './webhook-sender.js';

const megabyte = 1_024 * 1_024;
const bufferSize = 10_000;
const initialBackoffMs = 10_000;
const reportEveryMs = 60_000;

/** Reads the audit policy and opens the destinations. Returns undefined if the flags do not enable auditing. */
export async function openAudit(flags: AuditFlags, logger: Logger): Promise<AuditOptions | undefined> {
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile } = flags;
  const hasDestination = auditLogPath !== undefined || auditWebhookConfigFile !== undefined;
  if (auditPolicyFile === undefined) {
    if (!hasDestination) return undefined;
    throw new CliError('audit events have a destination, but no policy selects requests', {
      remedy: 'set --audit-policy-file',
      exitCode: exitCodes.usage,
    });
  }
  if (!hasDestination)
    throw new CliError('--audit-policy-file has no effect without a destination for the events', {
      remedy: 'set --audit-log-path or --audit-webhook-config-file',
      exitCode: exitCodes.usage,
    });
  const policy = await readPolicy(auditPolicyFile);
  // The webhook is opened first: it only reads, and an error then leaves no open file.
  const backends: AuditBackend[] = [];
  if (auditWebhookConfigFile !== undefined) backends.push(openWebhook(auditWebhookConfigFile, flags, logger));
  if (auditLogPath !== undefined) backends.unshift(await openLog(auditLogPath, flags, logger));
  return { policy, backends };
}

async function readPolicy(file: string): Promise<AuditOptions['policy']> {
  const path = resolve(file);
  const text = await onFile('read', path, () => readFile(path, 'utf8'));
  try {
    return parseAuditPolicy(text);
  } catch (error) {
    if (!(error instanceof AuditPolicyError)) throw error;
    throw new CliError(`${path}: ${error.message}`, {
      remedy: 'correct the file; docs/operating/audit.md has an example',
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}

function openLog(file: string, flags: AuditFlags, logger: Logger): Promise<AuditLogBackend> {
  const path = file === '-' ? '-' : resolve(file);
  const report = throttled();
  return onFile(
    'write',
    path,
    () =>
      new AuditLogBackend({
        path,
        bytesMax: flags.auditLogMaxsize * megabyte,
        daysMax: flags.auditLogMaxage,
        filesMax: flags.auditLogMaxbackup,
        clock: systemClock,
        onError: (error) =>
          report((lost) => logger.error({ err: error, file: path, lost }, 'Failed to write audit events')),
      }),
  );
}

function openWebhook(file: string, flags: AuditFlags, logger: Logger): AuditWebhookBackend {
  const path = resolve(file);
  try {
    const connection = connectionOf(loadKubeconfig({ file: path }), { env: process.env });
    const report = throttled();
    return new AuditWebhookBackend({
      send: webhookSender(connection),
      clock: systemClock,
      random: systemRandom,
      bufferSize,
      batchSize: Math.max(1, flags.auditWebhookBatchMaxSize),
      batchWaitMs: flags.auditWebhookBatchMaxWait,
      initialBackoffMs,
      onLost: (events, error) =>
        report(
          (lost) => logger.error({ err: error, server: connection.server, lost }, 'Failed to send audit events'),
          events,
        ),
    });
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new CliError(`--audit-webhook-config-file: ${error.message}`, { exitCode: exitCodes.usage, cause: error });
  }
}

/** Limits how often a failure is logged: every request would log it otherwise. The log line contains the number of lost events. */
function throttled(): (log: (lost: number) => void, events?: number) => void {
  let lost = 0;
  let nextAt = 0;
  return (log, events = 1) => {
    lost += events;
    const now = systemClock.now();
    if (now < nextAt) return;
    nextAt = now + reportEveryMs;
    log(lost);
    lost = 0;
  };
}
