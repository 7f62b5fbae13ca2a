import { object, optional, string } from '@slipway/kube/kit';
import { objectReference, templateReference } from './references.js';

export const classNaming = object(
  {
    template: optional(string({ minLength: 1, maxLength: 1024 })),
  },
  { minProperties: 1 },
);

export const classNamingV1Beta1 = object({
  template: optional(string({ minLength: 1, maxLength: 1024 })),
});

export const classUpgrade = object(
  {
    external: optional(
      object(
        {
          generateUpgradePlanExtension: optional(string({ minLength: 1, maxLength: 512 })),
        },
        { minProperties: 1 },
      ),
    ),
  },
  { minProperties: 1 },
);

export const classTemplate = object({
  templateRef: templateReference,
});

export const classTemplateV1Beta1 = object({
  ref: objectReference,
});
