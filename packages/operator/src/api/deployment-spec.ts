import {
  boolean,
  integer,
  list,
  map,
  mapList,
  object,
  optional,
  quantity,
  string,
  type Infer,
} from '@slipway/kube/kit';
import { affinity, nodeSelector, tolerations } from './scheduling.js';

/** A key of another object in the namespace of the pod. */
const keyReference = object(
  { key: string(), name: optional(string({ default: '' })), optional: optional(boolean()) },
  { atomic: true },
);

const environment = list(
  object({
    name: string(),
    value: optional(string()),
    valueFrom: optional(
      object({
        configMapKeyRef: optional(keyReference),
        fieldRef: optional(object({ apiVersion: optional(string()), fieldPath: string() }, { atomic: true })),
        fileKeyRef: optional(
          object(
            {
              key: string(),
              optional: optional(boolean({ default: false })),
              path: string(),
              volumeName: string(),
            },
            { atomic: true },
          ),
        ),
        resourceFieldRef: optional(
          object(
            { containerName: optional(string()), divisor: optional(quantity()), resource: string() },
            { atomic: true },
          ),
        ),
        secretKeyRef: optional(keyReference),
      }),
    ),
  }),
  { description: 'Each replaces the variable of its name.' },
);

const resources = object({
  claims: optional(mapList(object({ name: string(), request: optional(string()) }), ['name'])),
  limits: optional(map(quantity())),
  requests: optional(map(quantity())),
});

const container = object({
  args: optional(map(string(), { description: 'By flag, with its dashes: each replaces the argument of its name.' })),
  command: optional(list(string())),
  env: optional(environment),
  imageUrl: optional(string({ description: 'The whole reference: registry, name, tag or digest.' })),
  name: string({ description: 'There must be a container of this name.' }),
  resources: optional(resources),
});

/** What is changed about the Deployments of a provider. */
export const deploymentSpec = object(
  {
    affinity: optional(affinity),
    containers: optional(list(container)),
    imagePullSecrets: optional(list(object({ name: optional(string({ default: '' })) }, { atomic: true }))),
    nodeSelector: optional(nodeSelector),
    replicas: optional(integer({ minimum: 0 })),
    serviceAccountName: optional(string()),
    tolerations: optional(tolerations),
  },
  { description: 'Changes to the Deployment.' },
);

export type DeploymentSpec = Infer<typeof deploymentSpec>;
export type ContainerSpec = NonNullable<DeploymentSpec['containers']>[number];
