import { anyValue, boolean, enumeration, list, map, object, optional, string } from '@slipway/kube/kit';
import { classTexts } from '../texts/cluster-class.js';

export const classPatchesV1Beta1 = list(
  object({
    definitions: optional(
      list(
        object({
          jsonPatches: list(
            object({
              op: enumeration(['add', 'replace', 'remove'], { description: classTexts.op }),
              path: string({ minLength: 1, maxLength: 512, description: classTexts.path }),
              value: optional(anyValue({ description: classTexts.value })),
              valueFrom: optional(
                object(
                  {
                    template: optional(
                      string({ minLength: 1, maxLength: 10240, description: classTexts.valueFromTemplate }),
                    ),
                    variable: optional(string({ minLength: 1, maxLength: 256, description: classTexts.variable })),
                  },
                  { description: classTexts.valueFrom },
                ),
              ),
            }),
            { maxItems: 100, description: classTexts.jsonPatches },
          ),
          selector: object(
            {
              apiVersion: string({ minLength: 1, maxLength: 512, description: classTexts.selectorApiVersion }),
              kind: string({ minLength: 1, maxLength: 256, description: classTexts.selectorKind }),
              matchResources: object(
                {
                  controlPlane: optional(boolean({ description: classTexts.matchResourcesControlPlane })),
                  infrastructureCluster: optional(boolean({ description: classTexts.infrastructureCluster })),
                  machineDeploymentClass: optional(
                    object(
                      {
                        names: optional(
                          list(string({ minLength: 1, maxLength: 256 }), {
                            maxItems: 100,
                            description: classTexts.machineDeploymentClassNames,
                          }),
                        ),
                      },
                      { description: classTexts.machineDeploymentClass },
                    ),
                  ),
                  machinePoolClass: optional(
                    object(
                      {
                        names: optional(
                          list(string({ minLength: 1, maxLength: 256 }), {
                            maxItems: 100,
                            description: classTexts.machinePoolClassNames,
                          }),
                        ),
                      },
                      { description: classTexts.machinePoolClass },
                    ),
                  ),
                },
                { description: classTexts.matchResources },
              ),
            },
            { description: classTexts.definitionsSelector },
          ),
        }),
        { maxItems: 100, description: classTexts.definitions },
      ),
    ),
    description: optional(string({ minLength: 1, maxLength: 1024, description: classTexts.classPatchesDescription })),
    enabledIf: optional(string({ minLength: 1, maxLength: 256, description: classTexts.enabledIf })),
    external: optional(
      object(
        {
          discoverVariablesExtension: optional(
            string({ minLength: 1, maxLength: 512, description: classTexts.discoverVariablesExtension }),
          ),
          generateExtension: optional(
            string({
              minLength: 1,
              maxLength: 512,
              description:
                'generateExtension is the name of the Runtime Extension handler that generates patches for the templates.',
            }),
          ),
          settings: optional(map(string(), { description: classTexts.settings })),
          validateExtension: optional(
            string({
              minLength: 1,
              maxLength: 512,
              description:
                'validateExtension is the name of the Runtime Extension handler that validates the patched templates.',
            }),
          ),
        },
        { description: classTexts.external },
      ),
    ),
    name: string({
      minLength: 1,
      maxLength: 256,
      description: classTexts.classPatchesName,
    }),
  }),
  {
    maxItems: 1000,
    description: classTexts.classPatches,
  },
);
