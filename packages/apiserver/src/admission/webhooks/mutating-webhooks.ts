import type { Disposable } from '@slipway/base';
import {
  applyJsonPatch,
  asJson,
  asObject,
  cloneJson,
  deepEqual,
  type Frozen,
  internalError,
  isFields,
  type JsonPatchOperation,
  type KubeObject,
  type MutableJson,
  parseJsonValue,
  PatchError,
} from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, MutationRound } from '../../contract/index.js';
import type { Equivalents, View } from '../matching/equivalents.js';
import { VersionedRequest } from '../matching/versioned-request.js';
import { roundMemory, type RoundMemory } from '../round-memory.js';
import { type AdmissionVerdict, decodePatch } from './admission-review.js';
import type { Webhook } from './webhook.js';
import { NoVerdict, type WebhookCaller } from './webhook-caller.js';
import type { WebhookSource } from './webhook-source.js';

export interface WebhookPluginOptions {
  readonly source: WebhookSource;
  readonly caller: WebhookCaller;
  readonly equivalents: Equivalents;
}

/** Calls mutating webhooks in order; each sees the changes of the previous ones. */
export class MutatingWebhooks implements AdmissionPlugin, Disposable {
  readonly name = 'MutatingAdmissionWebhook';
  readonly #options: WebhookPluginOptions;

  constructor(options: WebhookPluginOptions) {
    this.#options = options;
  }

  handles(request: AdmissionRequest): boolean {
    return this.#options.source.candidates(request).length > 0;
  }

  async mutate(request: AdmissionRequest, round: MutationRound): Promise<void> {
    const own = this.#options.equivalents.view(request.resource);
    if (own === undefined) return;
    const memory = roundMemory(round, this.name);
    if (round.repeated && memory.changedSince(request.object)) memory.recallAll();
    const versioned = new VersionedRequest(request, own);
    for (const hook of this.#options.source.candidates(request)) {
      const view = await this.#options.source.match(hook, request, versioned);
      // In the second round, call only webhooks that ran in the first round, not those that match only now.
      if (view === undefined || (round.repeated && !memory.isRecalled(hook.id))) continue;
      await this.#callOne(hook, view, request, versioned, { round, memory });
      await versioned.finish();
    }
    memory.remember(request.object);
  }

  dispose(): void {
    this.#options.source.dispose();
  }

  async #callOne(
    hook: Webhook,
    view: View,
    request: AdmissionRequest,
    versioned: VersionedRequest,
    state: { readonly round: MutationRound; readonly memory: RoundMemory },
  ): Promise<void> {
    const { caller } = this.#options;
    try {
      const objects = await versioned.at(view);
      const verdict = await caller.ask(hook, request, view, objects, true);
      const patched = patchedObject(hook, verdict, objects.object);
      if (patched !== undefined) {
        const changed = !deepEqual(patched, objects.object);
        versioned.replace(view, patched);
        if (changed) {
          state.memory.recallAll();
          state.round.repeat();
        }
      }
      if (hook.reinvoked) state.memory.mayRecall(hook.id);
    } catch (error) {
      const refusal = caller.settle(hook, request, error);
      if (refusal !== undefined) throw refusal;
      if (hook.reinvoked) state.memory.mayRecall(hook.id);
    }
  }
}

/** Returns the object with the webhook's patch applied, or undefined if there is no patch. */
function patchedObject(
  hook: Webhook,
  verdict: AdmissionVerdict,
  object: Frozen<KubeObject> | undefined,
): KubeObject | undefined {
  if (verdict.patch === '') return undefined;
  const operations = readOperations(hook, verdict.patch);
  if (operations.length === 0) return undefined;
  if (object === undefined)
    throw internalError(
      `admission webhook ${JSON.stringify(hook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  if (verdict.patchType !== 'JSONPatch')
    throw new NoVerdict(hook, `unsupported patch type ${JSON.stringify(verdict.patchType)}`);
  return checkPatched(hook, object, applyOperations(operations, object));
}

function readOperations(hook: Webhook, patch: string): readonly JsonPatchOperation[] {
  try {
    return decodePatch(patch, parseJsonValue);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new NoVerdict(hook, `received undecodable patch in webhook response: ${text}`);
  }
}

function applyOperations(operations: readonly JsonPatchOperation[], object: Frozen<KubeObject>): MutableJson {
  try {
    return applyJsonPatch(cloneJson(asJson(object)), operations);
  } catch (error) {
    throw error instanceof PatchError ? internalError(error.message) : error;
  }
}

/** Validates the result of a patch: it must be an object, with the same apiVersion and kind as before. */
function checkPatched(hook: Webhook, before: Frozen<KubeObject>, patched: MutableJson): KubeObject {
  if (isFields(patched) && isFields(patched['metadata'])) {
    const object = asObject(patched as Parameters<typeof asObject>[0]) as KubeObject;
    if (object.apiVersion === before.apiVersion && object.kind === before.kind) return object;
  }
  throw internalError(
    `admission webhook ${JSON.stringify(hook.name)} patched the object into something that is not a ${before.kind}`,
  );
}
