import { map, object, optional, string } from '@slipway/kube/kit';

export const authProvider = object({
  config: optional(map(string())),
  name: string({ minLength: 1, maxLength: 256 }),
});
