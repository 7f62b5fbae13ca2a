import { type CustomResourceDefinition, invalid, type Kind, parseApiVersion } from '@slipway/kube';
import type { KubeObject, MutableJsonObject } from '@slipway/kube';
import {
  type AdmissionHandler,
  type CaBundleTargets,
  conversionPath,
  type MutatingWebhook,
  type MutatingWebhookConfiguration,
  type ValidatingWebhook,
  type ValidatingWebhookConfiguration,
  type WebhookClientConfig,
  webhookPath,
  type WebhookServer,
} from '@slipway/runtime';
import { definitionsOf } from './definitions-of.js';
import { type KindRules, type KindSet, ruleName } from './kind-set.js';

/** Returns the clientConfig, including the CA bundle, of a path of the webhook server. */
export type ClientConfigOf = (path: string) => WebhookClientConfig;

const timeoutSeconds = 10;

/** Adds handlers for all paths that the webhook configurations of the set reference. */
export function addKindWebhooks(server: WebhookServer, kindSet: KindSet): void {
  for (const rules of kindSet.rules) {
    server.mutate(pathOf('mutate', rules.kind), defaultingHandler(rules));
    server.validate(pathOf('validate', rules.kind), validatingHandler(rules));
  }
  const converters = new Map([...kindSet.converters].map(([kind, convert]) => [`${kind.group}/${kind.kind}`, convert]));
  server.convertAll(async (objects, apiVersion) => {
    const { group, version } = parseApiVersion(apiVersion);
    const { kind = '' } = (objects[0] ?? {}) as Partial<KubeObject>;
    const convert = converters.get(`${group}/${kind}`);
    if (convert === undefined) throw new Error(`no converter is registered for ${kind}.${group}`);
    return (await convert(objects as readonly KubeObject[], version)) as readonly MutableJsonObject[];
  });
}

function defaultingHandler(rules: KindRules): AdmissionHandler {
  return ({ object, oldObject, dryRun = false }) => {
    if (object) rules.applyDefaults(object, oldObject ?? undefined, { dryRun });
  };
}

function validatingHandler(rules: KindRules): AdmissionHandler {
  return async ({ object, oldObject, name = '', dryRun = false }) => {
    const problems = object ? rules.validate(object, oldObject ?? undefined, { dryRun }) : [];
    const change = { ...(object && { object }), ...(oldObject && { old: oldObject }), dryRun };
    const errors = problems.length > 0 ? problems : ((await rules.validateLive?.(change)) ?? []);
    if (errors.length > 0) throw invalid(rules.kind, object?.metadata.name ?? name, errors);
  };
}

/** Returns the CRDs of a set, with conversion by webhook. */
export function definitionsByWebhook(kindSet: KindSet, clientConfigOf: ClientConfigOf): CustomResourceDefinition[] {
  const webhook = { clientConfig: clientConfigOf(conversionPath), conversionReviewVersions: ['v1'] };
  const byWebhook = { conversion: { strategy: 'Webhook', webhook } } as const;
  return definitionsOf(kindSet, (kind) => (kindSet.converters.has(kind) ? byWebhook : {}));
}

export function mutatingConfiguration(kindSet: KindSet, clientConfigOf: ClientConfigOf): MutatingWebhookConfiguration {
  const webhooks = kindSet.rules.map(
    ({ kind }): MutatingWebhook => ({
      ...webhookOf(ruleName('default', kind), kind, clientConfigOf(pathOf('mutate', kind))),
      reinvocationPolicy: 'Never',
    }),
  );
  const metadata = { name: mutatingName(kindSet) };
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata, webhooks };
}

export function validatingConfiguration(
  kindSet: KindSet,
  clientConfigOf: ClientConfigOf,
): ValidatingWebhookConfiguration {
  const webhooks = kindSet.rules.map((rules) => {
    const { kind } = rules;
    const clientConfig = clientConfigOf(pathOf('validate', kind));
    return webhookOf(ruleName('validation', kind), kind, clientConfig, rules.validateLive !== undefined);
  });
  const metadata = { name: validatingName(kindSet) };
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata, webhooks };
}

/** Returns the names of the objects that contain the CA bundle of the set's webhooks. */
export function caBundleTargetsOf(kindSet: KindSet): CaBundleTargets {
  return {
    mutating: [mutatingName(kindSet)],
    validating: [validatingName(kindSet)],
    customResourceDefinitions: [...kindSet.converters.keys()].map(({ plural, group }) => `${plural}.${group}`),
  };
}

function mutatingName({ name }: KindSet): string {
  return `${name}-mutating-webhook-configuration`;
}

function validatingName({ name }: KindSet): string {
  return `${name}-validating-webhook-configuration`;
}

function webhookOf(
  name: string,
  kind: Kind,
  clientConfig: WebhookClientConfig,
  deletionsToo = false,
): ValidatingWebhook {
  const { group, storageVersion, plural } = kind;
  return {
    name,
    clientConfig,
    rules: [
      {
        operations: ['CREATE', 'UPDATE', ...(deletionsToo ? ['DELETE'] : [])],
        apiGroups: [group],
        apiVersions: [storageVersion],
        resources: [plural],
        scope: '*',
      },
    ],
    failurePolicy: 'Fail',
    // Equivalent also matches writes at other versions, which must not bypass the rules: the API server converts the object for
    // the webhook.
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    timeoutSeconds,
    admissionReviewVersions: ['v1'],
  };
}

function pathOf(purpose: 'mutate' | 'validate', kind: Kind): string {
  return webhookPath(purpose, { group: kind.group, version: kind.storageVersion, kind: kind.kind });
}
