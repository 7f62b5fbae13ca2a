import type { Clock } from '@slipway/base';
import { applyObjects, ManifestError, type Plan, readForPlan } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import { parseApiVersion } from '@slipway/kube';
import type { Client } from '@slipway/runtime';
import { isAllowed } from '../access/reviews.js';
import { HttpError } from '../http/message.js';
import { runPlanTask } from './run-plan-task.js';

export interface Manifest {
  readonly text: string;
  /** The namespace of objects that do not specify one. */
  readonly namespace: string;
}

/** Limit after which the simulation stops by itself. A thread that does not stop is terminated after `planMsMax`. */
const timeoutMs = 60_000;
const planMsMax = 90_000;
const readMsMax = 20_000;
const waitingMax = 4;

export interface PlannerOptions {
  readonly clock: Clock;
  /** The built module of the planning thread. */
  readonly thread: URL;
}

/**
 * Simulates manifests on another thread, one at a time. Manifests are untrusted input and must not block the management cluster.
 */
export class Planner {
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(private readonly options: PlannerOptions) {}

  plan(client: Client, manifest: Manifest, signal: AbortSignal): Promise<Plan> {
    const { clock } = this.options;
    const { namespace } = manifest;
    return this.#inTurn(async () => {
      const objects = await this.#read(manifest, signal);
      const input = await withHttpErrors(readForPlan(client, objects, { namespace, signal }));
      const task = { what: 'plan', input, nowMs: clock.now(), timeoutMs } as const;
      return runPlanTask(task, { ...this.options, timeMsMax: planMsMax, signal });
    });
  }

  /** Applies a manifest with the user's client. Checks all objects and permissions before the first write. */
  async apply(client: Client, manifest: Manifest, signal: AbortSignal): Promise<readonly string[]> {
    const objects = await this.#inTurn(() => this.#read(manifest, signal));
    for (const object of objects) await checkApply(client, object, manifest.namespace);
    const applied = await withHttpErrors(applyObjects(client, objects, { namespace: manifest.namespace }));
    return applied.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
  }

  async #read({ text }: Manifest, signal: AbortSignal): Promise<readonly KubeObject[]> {
    const objects = await runPlanTask({ what: 'read', text }, { ...this.options, timeMsMax: readMsMax, signal });
    if (objects.length === 0) throw new HttpError(422, 'the manifest contains no objects');
    return objects;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= waitingMax)
      return Promise.reject(new HttpError(429, 'too many plans are running', 'try again in a moment'));
    this.#waiting += 1;
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined).finally(() => (this.#waiting -= 1));
    return done;
  }
}

async function checkApply(
  client: Client,
  { apiVersion, kind, metadata }: KubeObject,
  otherwise: string,
): Promise<void> {
  const resource = await client.resourceFor({ ...parseApiVersion(apiVersion), kind });
  if (resource === undefined)
    throw new HttpError(
      422,
      `the management cluster does not serve kind ${kind} of ${apiVersion}`,
      'install the provider of this kind first',
    );
  const namespace = resource.namespaced ? (metadata.namespace ?? otherwise) : '';
  const { group, plural } = resource;
  const attributes = { group, resource: plural, namespace, name: metadata.name ?? '' };
  for (const verb of ['create', 'patch']) {
    if (await isAllowed(client, { verb, ...attributes })) continue;
    throw new HttpError(403, `you are not allowed to ${verb} ${plural} in namespace ${namespace}`);
  }
}

async function withHttpErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asHttpError(error);
  }
}

function asHttpError(error: unknown): unknown {
  return error instanceof ManifestError ? new HttpError(422, error.message, error.remedy ?? '') : error;
}
