import { integer, list, map, mapList, object, optional, quantity, string, type Infer } from '@slipway/kube/kit';
import { environment } from './environment.js';
import { affinity, nodeSelector, tolerations } from './scheduling.js';

const resources = object(
  {
    claims: optional(
      mapList(
        object({
          name: string({ description: 'Name of an entry of resourceClaims of the pod.' }),
          request: optional(
            string({
              description: 'Name of the request in the claim. If not set, all devices of the claim are available.',
            }),
          ),
        }),
        ['name'],
        { description: 'Dynamic resource claims of the pod that the container uses.' },
      ),
    ),
    limits: optional(
      map(quantity(), { description: 'Resource limits of the container, by resource name such as cpu or memory.' }),
    ),
    requests: optional(
      map(quantity(), {
        description:
          'Amounts that the scheduler reserves for the container, by resource name. Kubernetes defaults them to limits.',
      }),
    ),
  },
  { description: 'Compute resources of the container. They replace those of the manifest as a whole.' },
);

const container = object({
  args: optional(
    map(string(), {
      description:
        'Arguments of the container, by flag including its dashes, such as --v. Each replaces the argument of the same flag or is appended.',
    }),
  ),
  command: optional(list(string(), { description: 'Entrypoint of the container. It replaces that of the manifest.' })),
  env: optional(environment),
  imageUrl: optional(
    string({
      description:
        'Image of the container as a complete reference: registry, name, and tag or digest. If not set, the image of the manifest is kept.',
    }),
  ),
  name: string({
    description: 'Name of the container to customize. The Deployment must have a container of this name.',
  }),
  resources: optional(resources),
});

const imagePullSecret = object(
  { name: optional(string({ default: '', description: 'Name of a Secret in the namespace of the provider.' })) },
  { atomic: true },
);

/** Customizations of the Deployment of a provider. */
export const deploymentSpec = object(
  {
    affinity: optional(affinity),
    containers: optional(list(container, { description: 'Customizations of containers, by container name.' })),
    imagePullSecrets: optional(
      list(imagePullSecret, {
        description: 'Secrets with credentials for image registries. The list replaces that of the manifest.',
      }),
    ),
    nodeSelector: optional(nodeSelector),
    replicas: optional(
      integer({
        minimum: 0,
        description: 'Number of pods of the Deployment. 0 stops the provider. Defaults to the value of the manifest.',
      }),
    ),
    serviceAccountName: optional(
      string({ description: 'ServiceAccount of the pods. Defaults to that of the manifest.' }),
    ),
    tolerations: optional(tolerations),
  },
  {
    description:
      'Customizations of the Deployment of the provider. A change renders the components again and applies them. If the provider has several Deployments, only those named ca*-controller-manager are customized.',
  },
);

export type DeploymentSpec = Infer<typeof deploymentSpec>;
export type ContainerSpec = NonNullable<DeploymentSpec['containers']>[number];
