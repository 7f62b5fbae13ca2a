import { int32, object, optional, string } from '@slipway/kube/kit';

export const controlPlaneEndpoint = object(
  {
    host: optional(string({ minLength: 1, maxLength: 512 })),
    port: optional(int32({ minimum: 1, maximum: 65535 })),
  },
  { description: 'Where the API server of the cluster answers.', minProperties: 1 },
);
