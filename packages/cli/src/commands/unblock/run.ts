import { userInfo } from 'node:os';
import { systemClock } from '@slipway/base';
import {
  carryOutUnblock,
  clusterNameOf,
  type FoundObject,
  NotBlocked,
  planUnblock,
  readObject,
  refText,
  type UnblockPlan,
} from '@slipway/insight';
import { isReason } from '@slipway/kube';
import type { Client, Resource } from '@slipway/runtime';
import { findNamed } from '../../clusters/find-objects.js';
import { type Target, withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import { printValue, styleFor } from '../../output/index.js';
import { ask } from '../../terminal/input.js';
import type { UnblockOptions } from './command.js';
import { unblockText } from './text.js';

export async function unblock(args: readonly string[], options: UnblockOptions): Promise<ExitCode> {
  return withTarget(options, async (target, signal) => {
    const found = await findNamed(target, args, signal);
    const set = await readObject(target.client, found.object, clusterNameOf(found.object), {
      signal,
      withoutEvents: true,
    });
    const plan = planned(() => planUnblock(set, found.object, options.finalizer));
    await printValue(plan, options.output, () => unblockText(plan, styleFor(process.stdout, undefined)));
    if (options.dryRun) return exitCodes.ok;
    if (!(await ask(`Remove the finalizers of ${refText(plan.object)}?`, options.yes))) return exitCodes.failed;
    await carryOut(target, found, plan, options, signal);
    if (options.output === undefined) process.stdout.write(`Finalizers of ${refText(plan.object)} removed.\n`);
    return exitCodes.ok;
  });
}

async function carryOut(
  { client }: Target,
  { resource, object }: FoundObject,
  plan: UnblockPlan,
  options: UnblockOptions,
  signal: AbortSignal,
): Promise<void> {
  const record = {
    by: await whoAmI(client, signal),
    why: options.reason ?? 'no reason given',
    nowMs: systemClock.now(),
  };
  try {
    await carryOutUnblock(client, resource, object, plan, record, signal);
  } catch (error) {
    if (!isReason(error, 'Conflict')) throw error;
    throw new CliError(`${refText(plan.object)} has changed in the meantime; no finalizer was removed`, {
      remedy: 'review the changes: run the command again with --dry-run',
      cause: error,
    });
  }
}

function planned<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NotBlocked)) throw error;
    throw new CliError(error.message, { remedy: error.remedy, cause: error });
  }
}

const selfReviews: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

/** Returns the user name at the API server and on this host. Both, because administrators often share a client certificate. */
async function whoAmI(client: Client, signal: AbortSignal): Promise<string> {
  const hostUser = userInfo().username;
  try {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} };
    const { status } = (await client.create(selfReviews, review, { signal })) as {
      readonly status?: { readonly userInfo?: { readonly username?: string } };
    };
    return `${status?.userInfo?.username ?? 'unknown'} (${hostUser})`;
  } catch {
    return hostUser;
  }
}
