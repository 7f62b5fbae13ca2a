import { systemClock } from '@slipway/base';
import {
  type Observed,
  parseRolloutTarget,
  pauseRollout,
  restartRollout,
  resumeRollout,
  RolloutError,
  rolloutKinds,
  rolloutStatus,
  type RolloutTarget,
  undoRollout,
} from '@slipway/insight';
import type { Client } from '@slipway/runtime';
import { type TargetFlags, withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';
import type { RolloutStatusOptions, RolloutUndoOptions } from './command.js';

const done = { restart: 'restarted', pause: 'paused', resume: 'resumed' } as const;

export async function rollout(
  verb: keyof typeof done,
  resources: readonly string[],
  flags: TargetFlags,
): Promise<void> {
  await withTarget(flags, async ({ client, namespace }, signal) => {
    for (const resource of resources) {
      await asCliErrors(async () => {
        const target = parseRolloutTarget(resource, namespace);
        if (verb === 'restart') await restartRollout(client, target, systemClock.now(), signal);
        else if (verb === 'pause') await pauseRollout(client, target, signal);
        else await resumeRollout(client, target, signal);
        process.stdout.write(`${target.kind}/${target.key.name} ${done[verb]}\n`);
      });
    }
  });
}

export async function undo(resource: string, options: RolloutUndoOptions): Promise<void> {
  await withTarget(options, ({ client, namespace }, signal) =>
    asCliErrors(async () => {
      const target = parseRolloutTarget(resource, namespace);
      const revision = await undoRollout(client, target, options.toRevision, signal);
      process.stdout.write(`${target.kind}/${target.key.name} rolled back to revision ${revision}\n`);
    }),
  );
}

/** Prints the progress whenever it changes. */
export async function followRollout(resource: string, options: RolloutStatusOptions): Promise<ExitCode> {
  return withTarget(options, ({ client, namespace }, signal) =>
    asCliErrors(async () => {
      const target = parseRolloutTarget(resource, namespace);
      const ending = new AbortController();
      const end = (): void => ending.abort();
      signal.addEventListener('abort', end, { once: true });
      const timer = options.timeout === undefined ? undefined : systemClock.setTimer(options.timeout, end);
      try {
        if (await follow(client, target, options.watch, ending.signal)) return exitCodes.ok;
      } finally {
        timer?.cancel();
      }
      if (!options.watch) return exitCodes.waiting;
      process.stdout.write(
        `The rollout continues. Follow it with: slipway rollout status ${resource} -n ${namespace}\n`,
      );
      return signal.aborted ? exitCodes.interrupted : exitCodes.failed;
    }),
  );
}

async function follow(client: Client, target: RolloutTarget, watch: boolean, signal: AbortSignal): Promise<boolean> {
  const resource = rolloutKinds[target.kind];
  const fieldSelector = `metadata.name=${target.key.name}`;
  const selection = { namespace: target.key.namespace, fieldSelector, sendInitialEvents: true, signal };
  let said = '';
  for await (const events of client.watch(resource, selection)) {
    for (const event of events) {
      if (event.type === 'BOOKMARK' && event.initialEventsEnd && said === '')
        throw new RolloutError(
          `failed to get ${resource.kind} ${target.key.namespace}/${target.key.name}: it does not exist`,
        );
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
      const { done: isDone, message } = rolloutStatus(event.object as Observed);
      if (message !== said) process.stdout.write(`${message}\n`);
      said = message;
      if (isDone) return true;
      if (!watch) return false;
    }
  }
  return false;
}

async function asCliErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RolloutError)) throw error;
    throw new CliError(error.message, { cause: error });
  }
}
