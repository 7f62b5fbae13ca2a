import { object, string } from '@slipway/kube/kit';

export const secretSource = object({
  secret: object({
    key: string({ minLength: 1, maxLength: 256 }),
    name: string({ minLength: 1, maxLength: 253 }),
  }),
});
