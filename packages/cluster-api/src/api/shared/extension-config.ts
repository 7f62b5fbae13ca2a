import { int32, object, optional, string } from '@slipway/kube/kit';

export const extensionService = object(
  {
    name: string({ minLength: 1, maxLength: 63, description: 'name is the name of the Service.' }),
    namespace: string({ minLength: 1, maxLength: 63, description: 'namespace is the namespace of the Service.' }),
    path: optional(
      string({
        minLength: 1,
        maxLength: 512,
        description: 'path is a URL path that is prepended to the path of every request.',
      }),
    ),
    port: optional(int32({ description: 'port is the port of the Service, from 1 to 65535. Defaults to 443.' })),
  },
  { description: 'service refers to the Service in the management cluster that serves the Runtime Extension.' },
);

export const requestHook = object(
  {
    apiVersion: string({
      minLength: 1,
      maxLength: 512,
      description: 'apiVersion is the API group and version of the hook.',
    }),
    hook: string({
      minLength: 1,
      maxLength: 256,
      description: 'hook is the name of the hook, such as BeforeClusterCreate.',
    }),
  },
  { description: 'requestHook is the hook that the handler serves.' },
);
