import { object, optional, string } from '@slipway/kube/kit';
import { apiVersionPattern, kindPattern, subdomainPattern } from './patterns.js';

const texts = {
  kind: 'kind is the kind of the object.',
  name: 'name is the name of the object.',
  nameReference: 'A reference to an object by name.',
};

export const contractReference = object(
  {
    apiGroup: string({
      pattern: subdomainPattern,
      minLength: 1,
      maxLength: 253,
      description: 'apiGroup is the API group of the object.',
    }),
    kind: string({ pattern: kindPattern, minLength: 1, maxLength: 63, description: texts.kind }),
    name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253, description: texts.name }),
  },
  {
    description:
      "A reference to a provider object in the same namespace. The API version is the one that the CRD's labels declare for the contract.",
  },
);

export const templateReference = object(
  {
    apiVersion: string({
      pattern: apiVersionPattern,
      minLength: 1,
      maxLength: 317,
      description: 'apiVersion is the API group and version of the template.',
    }),
    kind: string({
      pattern: kindPattern,
      minLength: 1,
      maxLength: 63,
      description: 'kind is the kind of the template. It ends in Template.',
    }),
    name: string({
      pattern: subdomainPattern,
      minLength: 1,
      maxLength: 253,
      description: 'name is the name of the template.',
    }),
  },
  { description: 'A reference to a template in the same namespace.' },
);

export const objectReference = object(
  {
    apiVersion: optional(string({ description: 'apiVersion is the API group and version of the object.' })),
    fieldPath: optional(
      string({ description: 'fieldPath is a JSON path to a part of the object. Not used by Cluster API.' }),
    ),
    kind: optional(string({ description: texts.kind })),
    name: optional(string({ description: texts.name })),
    namespace: optional(
      string({
        description: 'namespace is the namespace of the object. Defaults to the namespace of the referring object.',
      }),
    ),
    resourceVersion: optional(
      string({
        description:
          'resourceVersion is the resource version of the object at the time of the reference. Not used by Cluster API.',
      }),
    ),
    uid: optional(string({ description: 'uid is the UID of the object.' })),
  },
  { description: 'A reference to an object by API version, kind and name.', atomic: true },
);

export const nameReference = object(
  {
    name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253, description: texts.name }),
  },
  { description: texts.nameReference },
);

export const poolReferenceV1Beta1 = object(
  {
    apiGroup: optional(string({ description: 'apiGroup is the API group of the pool. Defaults to the core group.' })),
    kind: string({ description: 'kind is the kind of the pool.' }),
    name: string({ description: 'name is the name of the pool.' }),
  },
  { atomic: true, description: 'poolRef refers to the pool of an IPAM provider.' },
);

export const nameReferenceV1Beta1 = object(
  {
    name: optional(string({ default: '', description: texts.name })),
  },
  { atomic: true, description: texts.nameReference },
);
