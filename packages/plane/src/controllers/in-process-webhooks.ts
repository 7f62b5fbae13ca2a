import type { AdmissionPlugin, AdmissionRequest as ServerRequest, KubernetesServer } from '@slipway/apiserver';
import { type Disposable, type Random, Scope } from '@slipway/base';
import {
  asJson,
  asObject,
  cloneJson,
  formatApiVersion,
  type Frozen,
  generateUid,
  type KubeObject,
  type MutableJsonObject,
  StatusError,
} from '@slipway/kube';
import {
  type AdmissionRequest,
  type AdmissionWebhook,
  type ControllerWebhooks,
  type ConversionHandler,
  admit,
  type WebhookRule,
} from '@slipway/runtime';

type WebhookTarget = Pick<KubernetesServer, 'admission' | 'registerConverter'>;

/**
 * Registers admission and conversion webhooks with the embedded server, which calls their handlers in process. An
 * external API server calls the same handlers over HTTPS.
 */
export function registerWebhooks(server: WebhookTarget, webhooks: ControllerWebhooks, random: Random): Disposable {
  const scope = new Scope();
  const conversions = webhooks.conversions ?? new Map<string, ConversionHandler>();
  for (const [name, convert] of conversions) {
    const dot = name.indexOf('.');
    const group = name.slice(dot + 1);
    server.registerConverter(group, name.slice(0, dot), (objects, version) =>
      objects.map((object) => converted(convert, object, formatApiVersion({ group, version }))),
    );
  }
  const caller = { conversions, random };
  for (const webhook of webhooks.mutating ?? [])
    scope.add(server.admission.add(pluginOf(webhook, { mutate: (request) => call(webhook, request, caller, true) })));
  for (const webhook of webhooks.validating ?? [])
    scope.add(
      server.admission.add(pluginOf(webhook, { validate: (request) => call(webhook, request, caller, false) })),
    );
  return scope;
}

interface Caller {
  readonly conversions: ReadonlyMap<string, ConversionHandler>;
  readonly random: Random;
}

function pluginOf(webhook: AdmissionWebhook, steps: Pick<AdmissionPlugin, 'mutate' | 'validate'>): AdmissionPlugin {
  return { name: webhook.name, handles: (request) => viewOf(webhook, request) !== undefined, ...steps };
}

/** Returns the API version in which to call the webhook, or undefined if no rule matches. Prefers the version of the request. */
function viewOf(webhook: AdmissionWebhook, request: ServerRequest): string | undefined {
  const rule = webhook.rules.find((each) => concerns(each, request));
  if (rule === undefined) return undefined;
  const { version } = request.resource;
  return rule.apiVersions.includes('*') || rule.apiVersions.includes(version) ? version : rule.apiVersions[0];
}

/** Returns whether a rule matches a request, ignoring the API version: a write at another version must not bypass the webhook. */
function concerns(rule: WebhookRule, { operation, resource, subresource }: ServerRequest): boolean {
  const name = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  const names = subresource === '' ? [name, '*', '*/*'] : [name, `${resource.resource}/*`, `*/${subresource}`, '*/*'];
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group) &&
    names.some((each) => rule.resources.includes(each))
  );
}

function has(allowed: readonly string[], value: string): boolean {
  return allowed.includes('*') || allowed.includes(value);
}

async function call(
  webhook: AdmissionWebhook,
  request: ServerRequest,
  { conversions, random }: Caller,
  mutating: boolean,
): Promise<void> {
  const version = viewOf(webhook, request) ?? request.resource.version;
  const convert = conversions.get(`${request.kind.kind}.${request.kind.group}`);
  const isConverted = version !== request.resource.version && convert !== undefined;
  const apiVersion = formatApiVersion({ group: request.resource.group, version });
  const seen = <T extends Frozen<KubeObject> | KubeObject>(object: T | undefined): KubeObject | undefined =>
    object === undefined || !isConverted
      ? (object as KubeObject | undefined)
      : converted(convert, object as Frozen<KubeObject>, apiVersion);
  const object = seen(request.object);
  const verdict = await admit(webhook.handler, {
    ...factsOf(request, version),
    uid: generateUid(random),
    object,
    oldObject: seen(request.oldObject),
  });
  for (const text of verdict.warnings ?? []) request.warn(text);
  if (!verdict.allowed) throw refusal(webhook.name, verdict.error);
  if (!mutating || object === undefined || !isConverted) return;
  const back = formatApiVersion({ group: request.resource.group, version: request.resource.version });
  request.object = converted(convert, object, back);
}

function factsOf(request: ServerRequest, version: string): Omit<AdmissionRequest, 'uid' | 'object' | 'oldObject'> {
  const { kind, resource, subresource, name, namespace, operation, user, dryRun } = request;
  return {
    kind: { ...kind, version },
    resource: { ...resource, version },
    ...(subresource !== '' && { subResource: subresource }),
    name,
    namespace,
    operation,
    userInfo: { username: user.username, groups: user.groups, ...(user.uid !== undefined && { uid: user.uid }) },
    dryRun,
  };
}

/** Wraps the denial of a webhook in the message and defaults of kube-apiserver. */
function refusal(webhook: string, error: StatusError): StatusError {
  const { message = '', reason, code, details } = error.toStatus();
  return new StatusError({
    code: code ?? 403,
    reason: reason ?? 'Forbidden',
    message: `admission webhook ${JSON.stringify(webhook)} denied the request: ${message}`,
    ...(details === undefined ? {} : { details }),
  });
}

/** Converts a copy of the object: handlers may change their input, and stored objects are shared. */
function converted(convert: ConversionHandler, object: Frozen<KubeObject>, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object as KubeObject;
  return asObject(convert(cloneJson(asJson(object)) as MutableJsonObject, apiVersion));
}
