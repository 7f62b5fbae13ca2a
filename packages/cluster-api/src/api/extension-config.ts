import {
  bytes,
  defineKind,
  enumeration,
  int32,
  map,
  mapList,
  object,
  optional,
  refine,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import { conditions, deprecatedConditions, v1beta1Conditions, v1beta2Conditions } from './shared/conditions.js';
import { extensionService, requestHook } from './shared/extension-config.js';
import { labelSelector } from './shared/label-selector.js';

const texts = {
  kind: 'ExtensionConfig registers a server of Runtime Extensions.',
  spec: 'spec defines how the server is called and for which namespaces.',
  clientConfig: 'clientConfig defines how to connect to the server. Exactly one of url and service must be set.',
  caBundle:
    'caBundle is a PEM bundle of CA certificates, base64-encoded, with which the certificate of the server is verified. It can be injected from a Secret by an annotation.',
  url: 'url is the HTTPS URL of the server. The paths of requests are appended to it.',
  namespaceSelector:
    'namespaceSelector selects the namespaces of the objects for which the extensions are called. Defaults to all namespaces.',
  settings: 'settings are key-value pairs sent with each request. Settings of a ClusterClass patch take precedence.',
  status: 'status is the observed state of the ExtensionConfig.',
  handlers: 'handlers are the extension handlers that the server reports.',
  failurePolicy:
    'failurePolicy defines what happens if a call fails: Fail fails the operation, Ignore continues. Defaults to Fail.',
  handlersName:
    'name is the unique name of the handler: its name at the server, a dot and the name of the ExtensionConfig.',
  timeoutSeconds: 'timeoutSeconds is the timeout of a call in seconds, from 1 to 30. Defaults to 10.',
};

export const extensionConfig = defineKind({
  group: 'runtime.cluster.x-k8s.io',
  kind: 'ExtensionConfig',
  plural: 'extensionconfigs',
  shortNames: ['ext'],
  categories: ['cluster-api'],
  scope: 'Cluster',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: false,
      deprecated: true,
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              clientConfig: object(
                {
                  caBundle: optional(bytes({ minLength: 1, maxLength: 51200, description: texts.caBundle })),
                  service: optional(extensionService),
                  url: optional(string({ minLength: 1, maxLength: 512, description: texts.url })),
                },
                { description: texts.clientConfig },
              ),
              namespaceSelector: optional(refine(labelSelector, { description: texts.namespaceSelector })),
              settings: optional(map(string(), { description: texts.settings })),
            },
            { description: texts.spec },
          ),
        ),
        status: optional(
          object(
            {
              conditions: optional(v1beta1Conditions),
              handlers: optional(
                mapList(
                  object({
                    failurePolicy: optional(enumeration(['Ignore', 'Fail'], { description: texts.failurePolicy })),
                    name: string({ minLength: 1, maxLength: 512, description: texts.handlersName }),
                    requestHook,
                    timeoutSeconds: optional(int32({ description: texts.timeoutSeconds })),
                  }),
                  ['name'],
                  { maxItems: 512, description: texts.handlers },
                ),
              ),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: texts.status },
          ),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: object(
          {
            clientConfig: object(
              {
                caBundle: optional(bytes({ minLength: 1, maxLength: 51200, description: texts.caBundle })),
                service: optional(extensionService),
                url: optional(string({ minLength: 1, maxLength: 512, description: texts.url })),
              },
              { minProperties: 1, description: texts.clientConfig },
            ),
            namespaceSelector: optional(refine(labelSelector, { description: texts.namespaceSelector })),
            settings: optional(map(string(), { description: texts.settings })),
          },
          { description: texts.spec },
        ),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              handlers: optional(
                mapList(
                  object({
                    failurePolicy: optional(enumeration(['Ignore', 'Fail'], { description: texts.failurePolicy })),
                    name: string({ minLength: 1, maxLength: 512, description: texts.handlersName }),
                    requestHook,
                    timeoutSeconds: optional(int32({ minimum: 1, description: texts.timeoutSeconds })),
                  }),
                  ['name'],
                  { maxItems: 512, description: texts.handlers },
                ),
              ),
            },
            { minProperties: 1, description: texts.status },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Discovered', type: 'string', jsonPath: '.status.conditions[?(@.type=="Discovered")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type ExtensionConfig = ObjectOf<typeof extensionConfig>;
