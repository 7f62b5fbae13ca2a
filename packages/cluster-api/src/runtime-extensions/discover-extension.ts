import { checkDns1123Label, type Frozen, type JsonObject } from '@slipway/kube';
import type { ExtensionConfig } from '../api/index.js';
import { callExtension, checkStatus, type ExtensionDependencies } from './call-extension.js';
import { ExtensionError } from './extension-error.js';
import { hooksApiVersion, isRuntimeHook } from './runtime-hooks.js';

export type ObservedExtension = Frozen<ExtensionConfig>;
export type ExtensionHandler = NonNullable<NonNullable<ExtensionConfig['status']>['handlers']>[number];

const timeoutSecondsDefault = 10;
const timeoutSecondsMax = 30;

/** Calls the Discovery hook of an extension. */
export async function discoverExtension(
  dependencies: ExtensionDependencies,
  config: ObservedExtension,
  signal: AbortSignal,
): Promise<ExtensionHandler[]> {
  const name = config.metadata.name ?? '';
  const { clientConfig } = config.spec;
  const call = {
    config: clientConfig,
    hook: 'Discovery',
    request: {},
    timeoutSeconds: timeoutSecondsDefault,
    signal,
  } as const;
  const response = await callExtension(dependencies, call).catch((error: unknown) => {
    if (!(error instanceof ExtensionError)) throw error;
    throw new ExtensionError(error.reason, `failed to discover extension "${name}": ${textOf(error)}`, error);
  });
  checkStatus(response, 'discover extension', name);
  return handlersOf(response, name);
}

/** Returns the error message without the remedy, which the outer error repeats. */
function textOf({ message, remedy = '' }: ExtensionError): string {
  return message.endsWith(`; ${remedy}`) ? message.slice(0, -remedy.length - 2) : message;
}

/** Validates the discovery response like any other input. */
function handlersOf(response: JsonObject, extension: string): ExtensionHandler[] {
  const given = Array.isArray(response['handlers']) ? (response['handlers'] as readonly JsonObject[]) : [];
  const problems: string[] = [];
  const names = new Set<string>();
  const handlers = given.map((handler) => {
    const name = textAt(handler, 'name');
    if (names.has(name)) problems.push(`duplicate name for handler ${name} found`);
    names.add(name);
    const { requestHook, timeoutSeconds, failurePolicy } = readHandler(handler);
    problems.push(...problemsOf(name, requestHook, timeoutSeconds, failurePolicy));
    return {
      name: `${name}.${extension}`,
      requestHook,
      timeoutSeconds,
      failurePolicy: failurePolicy as 'Fail' | 'Ignore',
    };
  });
  if (problems.length === 0) return handlers;
  const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
  const message = `failed to discover extension "${extension}": failed to validate discovery response: ${text ?? ''}`;
  throw new ExtensionError('InvalidConfiguration', message);
}

function readHandler(handler: JsonObject): {
  readonly requestHook: ExtensionHandler['requestHook'];
  readonly timeoutSeconds: number;
  readonly failurePolicy: string;
} {
  const requestHook = (handler['requestHook'] ?? {}) as JsonObject;
  const timeout = handler['timeoutSeconds'];
  const policy = handler['failurePolicy'];
  return {
    requestHook: { apiVersion: textAt(requestHook, 'apiVersion'), hook: textAt(requestHook, 'hook') },
    // Zero means unset.
    timeoutSeconds: typeof timeout === 'number' && timeout !== 0 ? timeout : timeoutSecondsDefault,
    failurePolicy: typeof policy === 'string' ? policy : 'Fail',
  };
}

function textAt(object: JsonObject, member: string): string {
  const value = object[member];
  return typeof value === 'string' ? value : '';
}

function problemsOf(
  name: string,
  { apiVersion, hook }: ExtensionHandler['requestHook'],
  timeoutSeconds: number,
  failurePolicy: string,
): string[] {
  const problems = checkDns1123Label(name).map((problem) => `handler name ${name} is not valid: [${problem}]`);
  if (timeoutSeconds < 0 || timeoutSeconds > timeoutSecondsMax) {
    problems.push(`handler ${name} timeoutSeconds ${timeoutSeconds} must be between 0 and ${timeoutSecondsMax}`);
  }
  if (failurePolicy !== 'Fail' && failurePolicy !== 'Ignore') {
    problems.push(`handler ${name} failurePolicy ${failurePolicy} must equal "Ignore" or "Fail"`);
  }
  if (apiVersion !== hooksApiVersion || !isRuntimeHook(hook) || hook === 'Discovery') {
    problems.push(`handler ${name} requestHook ${apiVersion}/${hook} is not in the Runtime SDK catalog`);
  }
  return problems;
}
