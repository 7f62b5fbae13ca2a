import { atomicList, boolean, list, map, object, optional, quantity, string } from '@slipway/kube/kit';

const texts = {
  secretKeyRefKey: 'key is the key in the Secret.',
  secretKeyRefName: 'name is the name of the Secret.',
  extraEnvsV1Beta1:
    'extraEnvs are additional environment variables of the component. Supported in Kubernetes 1.31 and later.',
  extraEnvsV1Beta1Name: 'name is the name of the variable.',
  extraEnvsV1Beta1Value: 'value is the value of the variable. Cannot be combined with valueFrom.',
};

export const authProvider = object(
  {
    config: optional(map(string(), { description: 'config are the settings of the plugin.' })),
    name: string({ minLength: 1, maxLength: 256, description: 'name is the name of the plugin.' }),
  },
  { description: 'authProvider is the authentication plugin of the user. Superseded by exec.' },
);

const envSource = object(
  {
    configMapKeyRef: optional(
      object(
        {
          key: string({ description: 'key is the key in the ConfigMap.' }),
          name: optional(string({ default: '', description: 'name is the name of the ConfigMap.' })),
          optional: optional(boolean({ description: 'optional allows the ConfigMap or its key to be missing.' })),
        },
        { atomic: true, description: 'configMapKeyRef takes the value from a key of a ConfigMap.' },
      ),
    ),
    fieldRef: optional(
      object(
        {
          apiVersion: optional(string({ description: 'apiVersion is the version of the Pod schema. Defaults to v1.' })),
          fieldPath: string({ description: 'fieldPath is the path of the field, such as status.podIP.' }),
        },
        { atomic: true, description: 'fieldRef takes the value from a field of the Pod.' },
      ),
    ),
    fileKeyRef: optional(
      object(
        {
          key: string({ description: 'key is the key in the file.' }),
          optional: optional(
            boolean({
              default: false,
              description: 'optional allows the file or its key to be missing. Defaults to false.',
            }),
          ),
          path: string({ description: 'path is the path of the file, relative to the root of the volume.' }),
          volumeName: string({ description: 'volumeName is the name of the volume that holds the file.' }),
        },
        {
          atomic: true,
          description: 'fileKeyRef takes the value from a key of an environment file in a volume of the Pod.',
        },
      ),
    ),
    resourceFieldRef: optional(
      object(
        {
          containerName: optional(
            string({
              description: 'containerName is the name of the container. Required for volumes, optional for variables.',
            }),
          ),
          divisor: optional(
            quantity({ description: 'divisor is the unit of the value, as a quantity. Defaults to 1.' }),
          ),
          resource: string({ description: 'resource is the name of the resource, such as limits.cpu.' }),
        },
        {
          atomic: true,
          description: 'resourceFieldRef takes the value from a resource request or limit of the container.',
        },
      ),
    ),
    secretKeyRef: optional(
      object(
        {
          key: string({ description: texts.secretKeyRefKey }),
          name: optional(string({ default: '', description: texts.secretKeyRefName })),
          optional: optional(boolean({ description: 'optional allows the Secret or its key to be missing.' })),
        },
        { atomic: true, description: 'secretKeyRef takes the value from a key of a Secret.' },
      ),
    ),
  },
  { description: 'valueFrom defines where the value of the variable comes from. Cannot be combined with value.' },
);

export const extraEnvsV1Beta1 = list(
  object({
    name: string({ description: texts.extraEnvsV1Beta1Name }),
    value: optional(string({ description: texts.extraEnvsV1Beta1Value })),
    valueFrom: optional(envSource),
  }),
  { maxItems: 100, description: texts.extraEnvsV1Beta1 },
);

export const extraEnvs = atomicList(
  object({
    name: string({ description: texts.extraEnvsV1Beta1Name }),
    value: optional(string({ description: texts.extraEnvsV1Beta1Value })),
    valueFrom: optional(envSource),
  }),
  { minItems: 1, maxItems: 100, description: texts.extraEnvsV1Beta1 },
);

export const secretSource = object(
  {
    secret: object(
      {
        key: string({ minLength: 1, maxLength: 256, description: texts.secretKeyRefKey }),
        name: string({ minLength: 1, maxLength: 253, description: texts.secretKeyRefName }),
      },
      { description: 'secret refers to a key of a Secret in the namespace of the KubeadmConfig.' },
    ),
  },
  { description: 'A source of data in another object.' },
);
