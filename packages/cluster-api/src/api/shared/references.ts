import { object, optional, string } from '@slipway/kube/kit';
import { apiVersionPattern, kindPattern, subdomainPattern } from './patterns.js';

export const contractReference = object(
  {
    apiGroup: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253 }),
    kind: string({ pattern: kindPattern, minLength: 1, maxLength: 63 }),
    name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253 }),
  },
  {
    description:
      'Names an object of a provider in the same namespace. Which version of it is read follows from the contract.',
  },
);

export const templateReference = object(
  {
    apiVersion: string({ pattern: apiVersionPattern, minLength: 1, maxLength: 317 }),
    kind: string({ pattern: kindPattern, minLength: 1, maxLength: 63 }),
    name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253 }),
  },
  { description: 'Names a template in the same namespace.' },
);

export const objectReference = object(
  {
    apiVersion: optional(string()),
    fieldPath: optional(string()),
    kind: optional(string()),
    name: optional(string()),
    namespace: optional(string()),
    resourceVersion: optional(string()),
    uid: optional(string()),
  },
  { description: 'Names an object by version, kind and name.', atomic: true },
);

export const nameReference = object({
  name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253 }),
});

export const poolReferenceV1Beta1 = object(
  {
    apiGroup: optional(string()),
    kind: string(),
    name: string(),
  },
  { atomic: true },
);

export const nameReferenceV1Beta1 = object(
  {
    name: optional(string({ default: '' })),
  },
  { atomic: true },
);
