import { object, optional, refine, string } from '@slipway/kube/kit';
import { objectReference, templateReference } from './references.js';

const texts = {
  template:
    'template is the Go template of the generated names, with variables such as .cluster.name and .random. It must render to a valid object name; a longer name is cut to 63 characters. A change affects only objects created afterwards.',
  classTemplate: 'A reference to a provider template of the class.',
};

export const classNaming = object(
  {
    template: optional(string({ minLength: 1, maxLength: 1024, description: texts.template })),
  },
  { minProperties: 1, description: 'naming configures how the generated objects are named.' },
);

export const classNamingV1Beta1 = object(
  {
    template: optional(string({ minLength: 1, maxLength: 1024, description: texts.template })),
  },
  { description: 'namingStrategy configures how the generated objects are named.' },
);

export const classUpgrade = object(
  {
    external: optional(
      object(
        {
          generateUpgradePlanExtension: optional(
            string({
              minLength: 1,
              maxLength: 512,
              description:
                'generateUpgradePlanExtension is the name of the Runtime Extension handler that computes the intermediate versions of an upgrade over several minor versions.',
            }),
          ),
        },
        { minProperties: 1, description: 'external configures Runtime Extensions that take part in upgrades.' },
      ),
    ),
  },
  { minProperties: 1, description: 'upgrade configures how Clusters of this class are upgraded.' },
);

export const classTemplate = object(
  {
    templateRef: refine(templateReference, {
      description:
        'templateRef refers to the template from which the object is created. Group and kind cannot change while a Cluster uses the class; the name can, and the change is rolled out to the Clusters.',
    }),
  },
  { description: texts.classTemplate },
);

export const classTemplateV1Beta1 = object(
  {
    ref: refine(objectReference, {
      description:
        'ref refers to the template from which the object is created. Group and kind cannot change while a Cluster uses the class; the name can, and the change is rolled out to the Clusters.',
    }),
  },
  { description: texts.classTemplate },
);
