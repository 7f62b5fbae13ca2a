import {
  bytes,
  defineKind,
  enumeration,
  int32,
  map,
  mapList,
  object,
  optional,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import { conditions, deprecatedConditions, v1beta1Conditions, v1beta2Conditions } from './shared/conditions.js';
import { extensionService, requestHook } from './shared/extension-config.js';
import { labelSelector } from './shared/label-selector.js';

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
      description: 'Registers a server of runtime hooks.',
      schema: {
        spec: optional(
          object({
            clientConfig: object({
              caBundle: optional(bytes({ minLength: 1, maxLength: 51200 })),
              service: optional(extensionService),
              url: optional(string({ minLength: 1, maxLength: 512 })),
            }),
            namespaceSelector: optional(labelSelector),
            settings: optional(map(string())),
          }),
        ),
        status: optional(
          object({
            conditions: optional(v1beta1Conditions),
            handlers: optional(
              mapList(
                object({
                  failurePolicy: optional(enumeration(['Ignore', 'Fail'])),
                  name: string({ minLength: 1, maxLength: 512 }),
                  requestHook,
                  timeoutSeconds: optional(int32()),
                }),
                ['name'],
                { maxItems: 512 },
              ),
            ),
            v1beta2: optional(v1beta2Conditions),
          }),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'Registers a server of runtime hooks.',
      schema: {
        spec: object({
          clientConfig: object(
            {
              caBundle: optional(bytes({ minLength: 1, maxLength: 51200 })),
              service: optional(extensionService),
              url: optional(string({ minLength: 1, maxLength: 512 })),
            },
            { minProperties: 1 },
          ),
          namespaceSelector: optional(labelSelector),
          settings: optional(map(string())),
        }),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              handlers: optional(
                mapList(
                  object({
                    failurePolicy: optional(enumeration(['Ignore', 'Fail'])),
                    name: string({ minLength: 1, maxLength: 512 }),
                    requestHook,
                    timeoutSeconds: optional(int32({ minimum: 1 })),
                  }),
                  ['name'],
                  { maxItems: 512 },
                ),
              ),
            },
            { minProperties: 1 },
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
