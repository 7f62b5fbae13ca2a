import { int32, object, optional, string } from '@slipway/kube/kit';

export const extensionService = object({
  name: string({ minLength: 1, maxLength: 63 }),
  namespace: string({ minLength: 1, maxLength: 63 }),
  path: optional(string({ minLength: 1, maxLength: 512 })),
  port: optional(int32()),
});

export const requestHook = object({
  apiVersion: string({ minLength: 1, maxLength: 512 }),
  hook: string({ minLength: 1, maxLength: 256 }),
});
