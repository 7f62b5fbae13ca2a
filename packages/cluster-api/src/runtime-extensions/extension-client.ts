import { createHash } from 'node:crypto';
import { canonicalJson, type Frozen, type JsonObject, labelSelectorFromObject } from '@slipway/kube';
import { type Index, namespaces, type Sources } from '@slipway/runtime';
import { type ExtensionConfig, extensionConfigs } from '../api/index.js';
import { isPaused } from '../toolkit/index.js';
import { callExtension, checkStatus, type ExtensionDependencies } from './call-extension.js';
import type { ExtensionHandler, ObservedExtension } from './discover-extension.js';
import { ExtensionError } from './extension-error.js';
import type { RuntimeHook } from './runtime-hooks.js';

interface Registration {
  readonly config: ObservedExtension;
  readonly handler: Frozen<ExtensionHandler>;
}

/** The object that a hook is called for. Its namespace selects the extensions. */
export interface HookSubject {
  readonly metadata: { readonly namespace?: string; readonly name?: string };
}

export interface AggregatedResponse {
  readonly message: string;
  /** The shortest retry time of all responses. Zero if no extension requests a retry. */
  readonly retryAfterSeconds: number;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** How long responses to the same request are cached. */
  readonly cacheMs?: number;
}

const hookIndex: Index<ExtensionConfig> = {
  name: 'runtime hook',
  valuesOf: ({ status }) => [...new Set((status?.handlers ?? []).map(({ requestHook }) => requestHook.hook))],
};
const handlerIndex: Index<ExtensionConfig> = {
  name: 'extension handler',
  valuesOf: ({ status }) => (status?.handlers ?? []).map(({ name }) => name),
};

const cacheEntriesMax = 1_000;
const timeoutSecondsDefault = 10;

/** Calls the extensions registered by ExtensionConfigs. */
export class ExtensionClient {
  readonly #sources: Sources;
  readonly #dependencies: ExtensionDependencies;
  readonly #answers = new Map<string, { readonly response: JsonObject; readonly until: number }>();

  constructor(sources: Sources, dependencies: ExtensionDependencies) {
    this.#sources = sources;
    this.#dependencies = dependencies;
  }

  /** Returns the names of all handlers of a hook that match the namespace of the subject, sorted. */
  handlersOf(hook: RuntimeHook, subject: HookSubject): readonly string[] {
    const source = this.#sources.sourceFor(extensionConfigs);
    return source
      .byIndex(hookIndex, hook)
      .filter((config) => this.#concerns(config, subject))
      .flatMap(({ status }) => status?.handlers ?? [])
      .filter(({ requestHook }) => requestHook.hook === hook)
      .map(({ name }) => name)
      .sort();
  }

  /** Calls all handlers in order. Stops at the first failure. */
  async callAll(
    hook: RuntimeHook,
    subject: HookSubject,
    request: JsonObject,
    options: CallOptions,
  ): Promise<AggregatedResponse> {
    const messages: string[] = [];
    let retryAfterSeconds = 0;
    for (const name of this.handlersOf(hook, subject)) {
      const response = await this.call(hook, subject, name, request, options);
      const desired = retryAfterOf(response);
      if (desired > 0) retryAfterSeconds = retryAfterSeconds === 0 ? desired : Math.min(retryAfterSeconds, desired);
      if (typeof response['message'] === 'string' && response['message'] !== '') messages.push(response['message']);
    }
    return { message: messages.join(', '), retryAfterSeconds };
  }

  async call(
    hook: RuntimeHook,
    subject: HookSubject,
    name: string,
    request: JsonObject,
    options: CallOptions,
  ): Promise<JsonObject> {
    const { config, handler } = this.#registration(hook, subject, name);
    const given = (request['settings'] ?? {}) as Readonly<Record<string, string>>;
    // Settings of the caller override those in the ExtensionConfig.
    const settings = { ...config.spec.settings, ...given };
    const whole: JsonObject = { ...request, ...(Object.keys(settings).length === 0 ? {} : { settings }) };
    const cacheKey = options.cacheMs === undefined ? undefined : cacheKeyOf(name, config, whole);
    const cached = cacheKey === undefined ? undefined : this.#answers.get(cacheKey);
    if (cached !== undefined && cached.until > this.#dependencies.clock.monotonic()) return cached.response;
    const response = await this.#send(config, handler, hook, whole, options.signal);
    if (cacheKey !== undefined) this.#remember(cacheKey, response, options.cacheMs ?? 0);
    return response;
  }

  async #send(
    config: ObservedExtension,
    handler: Frozen<ExtensionHandler>,
    hook: RuntimeHook,
    request: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const { name, failurePolicy, timeoutSeconds = timeoutSecondsDefault } = handler;
    const short = name.slice(0, -(config.metadata.name ?? '').length - 1);
    try {
      const input = { config: config.spec.clientConfig, hook, handler: short, request, timeoutSeconds, signal };
      const response = await callExtension(this.#dependencies, input);
      checkStatus(response, 'call extension handler', name);
      return response;
    } catch (error) {
      if (!(error instanceof ExtensionError) || error.reason !== 'CallFailed' || signal.aborted) throw error;
      // The failure policy `Ignore` covers only transport failures. A failure response is returned to the caller.
      if (failurePolicy === 'Ignore') return { status: 'Success', message: '' };
      throw new ExtensionError('CallFailed', `failed to call extension handler "${name}": ${error.message}`, error);
    }
  }

  #registration(hook: RuntimeHook, subject: HookSubject, name: string): Registration {
    const [config] = this.#sources.sourceFor(extensionConfigs).byIndex(handlerIndex, name);
    const handler = config?.status?.handlers?.find((candidate) => candidate.name === name);
    const failed = `failed to call extension handler "${name}"`;
    if (config === undefined || handler === undefined) {
      throw new ExtensionError('NotRegistered', `${failed}: handler with name "${name}" has not been registered`);
    }
    if (handler.requestHook.hook !== hook) {
      throw new ExtensionError('InvalidConfiguration', `${failed}: handler does not match hook "${hook}"`);
    }
    if (!this.#concerns(config, subject)) {
      const { namespace = '', name: subjectName = '' } = subject.metadata;
      const text = `${failed}: namespaceSelector did not match object ${namespace}/${subjectName}`;
      throw new ExtensionError('InvalidConfiguration', text);
    }
    return { config, handler };
  }

  #concerns(config: ObservedExtension, { metadata }: HookSubject): boolean {
    if (isPaused(config) || typeof config.metadata.deletionTimestamp === 'string') return false;
    const { namespaceSelector } = config.spec;
    if (namespaceSelector === undefined || Object.keys(namespaceSelector).length === 0) return true;
    const name = metadata.namespace ?? '';
    const namespace = this.#sources.sourceFor(namespaces).get({ namespace: '', name });
    return (
      namespace !== undefined && labelSelectorFromObject(namespaceSelector).matches(namespace.metadata.labels ?? {})
    );
  }

  #remember(key: string, response: JsonObject, cacheMs: number): void {
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= cacheEntriesMax && oldest !== undefined) this.#answers.delete(oldest);
    this.#answers.set(key, { response, until: this.#dependencies.clock.monotonic() + cacheMs });
  }
}

function retryAfterOf(response: JsonObject): number {
  const seconds = response['retryAfterSeconds'];
  return typeof seconds === 'number' && seconds > 0 ? seconds : 0;
}

/**
 * Returns the cache key. It contains the ExtensionConfig version, so that a changed registration invalidates cached responses.
 */
function cacheKeyOf(name: string, { metadata }: ObservedExtension, request: JsonObject): string {
  const text = canonicalJson([name, metadata.uid ?? '', metadata.generation ?? 0, request]);
  return createHash('sha256').update(text).digest('base64');
}
