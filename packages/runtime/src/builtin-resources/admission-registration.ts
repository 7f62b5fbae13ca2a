import { type BuiltinObject, clusterResource, type LabelSelectorValue } from './define.js';

export type WebhookClientConfig = {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  caBundle?: string;
};
export type WebhookRule = {
  operations: string[];
  apiGroups: string[];
  apiVersions: string[];
  resources: string[];
  scope?: string;
};
export type ValidatingWebhook = {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: WebhookRule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelectorValue;
  objectSelector?: LabelSelectorValue;
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  matchConditions?: { name: string; expression: string }[];
};
export type MutatingWebhook = ValidatingWebhook & { reinvocationPolicy?: string };

const group = 'admissionregistration.k8s.io';
type Version = 'admissionregistration.k8s.io/v1';

export type ValidatingWebhookConfiguration = BuiltinObject<
  Version,
  'ValidatingWebhookConfiguration',
  { webhooks?: ValidatingWebhook[] }
>;
export const validatingWebhookConfigurations = clusterResource<ValidatingWebhookConfiguration>(
  group,
  'v1',
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
);

export type MutatingWebhookConfiguration = BuiltinObject<
  Version,
  'MutatingWebhookConfiguration',
  { webhooks?: MutatingWebhook[] }
>;
export const mutatingWebhookConfigurations = clusterResource<MutatingWebhookConfiguration>(
  group,
  'v1',
  'MutatingWebhookConfiguration',
  'mutatingwebhookconfigurations',
);
