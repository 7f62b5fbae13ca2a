import { systemClock } from '@slipway/base';
import { type Frozen, type JsonObject, parseJsonValue, stringifyJson, textOf } from '@slipway/kube';
import { SemVer } from 'semver';
import type { ExtensionConfig } from '../api/index.js';
import { extensionUrl } from './extension-url.js';
import {
  createHttpsTransport,
  type ExtensionCall,
  type ExtensionReply,
  type ExtensionTransport,
} from './https-transport.js';
import { hooksApiVersion, isRuntimeHook, type RuntimeHook } from './runtime-hooks.js';

/** Hooks that only compute a response. All other hooks may have side effects. */
const pureHooks: ReadonlySet<RuntimeHook> = new Set(['GeneratePatches', 'ValidateTopology', 'DiscoverVariables']);

/** A hook with an assumed response: its extension was not called. */
export interface AssumedHook {
  readonly hook: RuntimeHook;
  readonly handler: string;
  /** `namespace/name` of the Cluster, or of the Machine for hooks of machines. */
  readonly subject: string;
}

export interface PlanningTransportOptions {
  /** The registered extensions. Only their addresses are called, because a manifest to plan may contain any other address. */
  readonly extensions: readonly Frozen<ExtensionConfig>[];
  readonly onAssumed: (assumed: AssumedHook) => void;
  readonly transport?: ExtensionTransport;
}

/**
 * Creates a transport for simulations. It calls the handlers of pure hooks. For all other hooks it returns the response of an
 * extension that does not block.
 */
export function createPlanningTransport(options: PlanningTransportOptions): ExtensionTransport {
  const { onAssumed, transport = createHttpsTransport() } = options;
  const handlers = handlersByUrl(options.extensions);
  return (call) => {
    const request = parseJsonValue(call.body) as JsonObject;
    const hook = textOf(request['kind']).replace(/Request$/, '');
    if (!isRuntimeHook(hook)) return Promise.reject(new Error(`unknown hook ${JSON.stringify(hook)}`));
    const registered = handlers.get(withoutQuery(call.url));
    if (!pureHooks.has(hook)) {
      onAssumed({ hook, handler: registered ?? nameIn(call.url), subject: subjectOf(request) });
      return Promise.resolve(assumedReply(hook, request));
    }
    if (registered === undefined)
      return Promise.reject(
        new Error(
          'the extension is not called while planning, because no ExtensionConfig in the management cluster has this address',
        ),
      );
    return send(transport, call);
  };
}

/** Timeout of a call. The controllers have simulated time, so their deadline cannot be used. */
const callMsMax = 10_000;

async function send(
  transport: ExtensionTransport,
  { signal: _simulated, ...call }: ExtensionCall,
): Promise<ExtensionReply> {
  const limit = new AbortController();
  const timer = systemClock.setTimer(callMsMax, () =>
    limit.abort(new Error(`the extension did not respond within ${callMsMax / 1_000} s`)),
  );
  try {
    return await transport({ ...call, signal: limit.signal });
  } finally {
    timer.cancel();
  }
}

function handlersByUrl(extensions: readonly Frozen<ExtensionConfig>[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { metadata, spec, status } of extensions) {
    for (const { name, requestHook } of status?.handlers ?? []) {
      if (!isRuntimeHook(requestHook.hook)) continue;
      const short = name.slice(0, -(metadata.name ?? '').length - 1);
      try {
        found.set(withoutQuery(extensionUrl(spec.clientConfig, requestHook.hook, short)), name);
      } catch {
        // Ignore an extension without a valid address: controllers could not call it either.
      }
    }
  }
  return found;
}

function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function nameIn({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1);
}

interface Named {
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

function subjectOf(request: JsonObject): string {
  const { cluster, desired } = request as { readonly cluster?: Named; readonly desired?: { readonly machine?: Named } };
  const { namespace = '', name = '' } = (cluster ?? desired?.machine)?.metadata ?? {};
  return `${namespace}/${name}`;
}

function assumedReply(hook: RuntimeHook, request: JsonObject): ExtensionReply {
  const response = { apiVersion: hooksApiVersion, kind: `${hook}Response`, status: 'Success', message: '' };
  const more = hook === 'GenerateUpgradePlan' ? assumedUpgrades(request) : {};
  return { status: 200, body: stringifyJson({ ...response, retryAfterSeconds: 0, ...more }) };
}

/** Returns an upgrade plan with one step per minor version. Workers take the fewest steps that the version skew allows. */
function assumedUpgrades(request: JsonObject): JsonObject {
  const from = new SemVer(textOf(request['fromControlPlaneKubernetesVersion']));
  const desired = textOf(request['toKubernetesVersion']);
  const to = new SemVer(desired);
  if (from.compare(to) === 0 && from.compareBuild(to) === 0) return {};
  const steps: string[] = [];
  for (let minor = from.minor + 1; minor < to.minor; minor += 1) steps.push(`v${to.major}.${minor}.0`);
  return { controlPlaneUpgrades: [...steps, desired].map((version) => ({ version })) };
}
