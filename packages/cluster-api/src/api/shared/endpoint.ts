import { int32, object, optional, string } from '@slipway/kube/kit';

export const controlPlaneEndpoint = object(
  {
    host: optional(
      string({ minLength: 1, maxLength: 512, description: 'host is the host name or IP address of the API server.' }),
    ),
    port: optional(int32({ minimum: 1, maximum: 65535, description: 'port is the TCP port of the API server.' })),
  },
  {
    description:
      'controlPlaneEndpoint is the address at which clients reach the API server of the cluster. It counts as set when host and port are both present.',
    minProperties: 1,
  },
);
