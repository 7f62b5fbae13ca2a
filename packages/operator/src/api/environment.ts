import { boolean, list, object, optional, quantity, string } from '@slipway/kube/kit';

const optionalReference = boolean({
  description: 'Whether the container starts even if the object or its key does not exist. Defaults to false.',
});

const configMapKey = object(
  {
    key: string({ description: 'Key of the ConfigMap.' }),
    name: optional(string({ default: '', description: 'Name of the ConfigMap.' })),
    optional: optional(optionalReference),
  },
  { atomic: true, description: 'Takes the value from a ConfigMap in the namespace of the pod.' },
);

const secretKey = object(
  {
    key: string({ description: 'Key of the Secret.' }),
    name: optional(string({ default: '', description: 'Name of the Secret.' })),
    optional: optional(optionalReference),
  },
  { atomic: true, description: 'Takes the value from a Secret in the namespace of the pod.' },
);

const podField = object(
  {
    apiVersion: optional(string({ description: 'API version that fieldPath is written for. Defaults to v1.' })),
    fieldPath: string({ description: 'Path of a field of the pod, such as metadata.namespace.' }),
  },
  { atomic: true, description: 'Takes the value from a field of the pod.' },
);

const fileKey = object(
  {
    key: string({ description: 'Name of the variable in the file.' }),
    optional: optional(
      boolean({
        default: false,
        description: 'Whether the container starts even if the file or the variable does not exist.',
      }),
    ),
    path: string({ description: 'Path of the file, relative to the volume. It must not contain "..".' }),
    volumeName: string({ description: 'Name of the volume of the pod that has the file.' }),
  },
  { atomic: true, description: 'Takes the value from a file of environment variables in a volume of the pod.' },
);

const resourceField = object(
  {
    containerName: optional(string({ description: 'Name of the container. Defaults to the container itself.' })),
    divisor: optional(
      quantity({ description: 'Unit in which the value is written, such as 1Mi or 1m. Defaults to 1.' }),
    ),
    resource: string({ description: 'Resource to read, such as limits.cpu or requests.memory.' }),
  },
  { atomic: true, description: 'Takes the value from a resource request or limit of a container.' },
);

const variable = object({
  name: string({ description: 'Name of the environment variable.' }),
  value: optional(
    string({
      description:
        'Value of the variable. $(NAME) refers to a variable that is defined earlier in the list. Defaults to an empty string.',
    }),
  ),
  valueFrom: optional(
    object(
      {
        configMapKeyRef: optional(configMapKey),
        fieldRef: optional(podField),
        fileKeyRef: optional(fileKey),
        resourceFieldRef: optional(resourceField),
        secretKeyRef: optional(secretKey),
      },
      { description: 'Source of the value. Set exactly one of its fields, and not together with value.' },
    ),
  ),
});

/** Environment variables of a container, as in a PodSpec. */
export const environment = list(variable, {
  description: 'Environment variables of the container. Each replaces the variable of the same name or is added.',
});
