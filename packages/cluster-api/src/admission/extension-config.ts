import {
  checkDns1123Label,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  validateLabelSelector,
} from '@slipway/kube';
import { type ExtensionConfig, extensionConfig } from '../api/extension-config.js';
import { type AdmissionContext, defineAdmission } from './admission.js';

type ClientConfig = ExtensionConfig['spec']['clientConfig'];

const httpsPort = 443;

function defaultExtensionConfig(object: ExtensionConfig): void {
  object.spec.namespaceSelector ??= {};
  const { service } = object.spec.clientConfig;
  if (service !== undefined) service.port ??= httpsPort;
}

function validateExtensionConfig(
  object: ExtensionConfig,
  _old: ExtensionConfig | undefined,
  context: AdmissionContext,
): FieldError[] {
  if (!context.features.RuntimeSDK) {
    return [forbiddenField('spec', 'can be set only if the RuntimeSDK feature flag is enabled')];
  }
  return [
    ...checkDns1123Label(object.metadata.name ?? '').map((problem) =>
      invalidField('metadata.name', object.metadata.name, problem),
    ),
    ...validateClientConfig('spec.clientConfig', object.spec.clientConfig),
    ...validateLabelSelector(object.spec.namespaceSelector, 'spec.namespaceSelector'),
  ];
}

function validateClientConfig(path: string, { url, service }: ClientConfig): FieldError[] {
  if (url === undefined && service === undefined) return [requiredField(path, 'either url or service must be defined')];
  if (url !== undefined && service !== undefined) {
    return [forbiddenField(path, 'only one of url or service can be defined')];
  }
  return [
    ...(url === undefined ? [] : validateUrl(`${path}.url`, url)),
    ...(service === undefined ? [] : validateService(`${path}.service`, service)),
  ];
}

function validateUrl(path: string, text: string): FieldError[] {
  if (!URL.canParse(text)) return [invalidField(path, text, 'must be a valid URL, e.g. https://example.com')];
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:')
    return [invalidField(path, text, "'https' is the only allowed URL scheme, e.g. https://example.com")];
  return hostname === '' ? [invalidField(path, text, 'host must be set')] : [];
}

function validateService(path: string, service: NonNullable<ClientConfig['service']>): FieldError[] {
  const { name, namespace, path: servicePath, port = httpsPort } = service;
  return [
    ...checkDns1123Label(name).map((problem) => invalidField(`${path}.name`, name, problem)),
    ...checkDns1123Label(namespace).map((problem) => invalidField(`${path}.namespace`, namespace, problem)),
    ...(servicePath !== undefined && !servicePath.startsWith('/')
      ? [invalidField(`${path}.path`, servicePath, "must start with '/'")]
      : []),
    ...(port < 1 || port > 65535 ? [invalidField(`${path}.port`, port, 'must be between 1 and 65535, inclusive')] : []),
  ];
}

export const extensionConfigAdmission = defineAdmission(extensionConfig, {
  defaults: defaultExtensionConfig,
  validate: validateExtensionConfig,
});
