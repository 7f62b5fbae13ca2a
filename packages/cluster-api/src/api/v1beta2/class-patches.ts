import { anyValue, atomicList, boolean, enumeration, map, object, optional, string } from '@slipway/kube/kit';
import { apiVersionPattern, kindPattern } from '../shared/patterns.js';
import { classTexts } from '../texts/cluster-class.js';

export const classPatches = atomicList(
  object({
    definitions: optional(
      atomicList(
        object({
          jsonPatches: atomicList(
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
            { minItems: 1, maxItems: 100, description: classTexts.jsonPatches },
          ),
          selector: object(
            {
              apiVersion: string({
                pattern: apiVersionPattern,
                minLength: 1,
                maxLength: 317,
                description: classTexts.selectorApiVersion,
              }),
              kind: string({ pattern: kindPattern, minLength: 1, maxLength: 63, description: classTexts.selectorKind }),
              matchResources: object(
                {
                  controlPlane: optional(boolean({ description: classTexts.matchResourcesControlPlane })),
                  infrastructureCluster: optional(boolean({ description: classTexts.infrastructureCluster })),
                  machineDeploymentClass: optional(
                    object(
                      {
                        names: optional(
                          atomicList(string({ minLength: 1, maxLength: 256 }), {
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
                          atomicList(string({ minLength: 1, maxLength: 256 }), {
                            maxItems: 100,
                            description: classTexts.machinePoolClassNames,
                          }),
                        ),
                      },
                      { description: classTexts.machinePoolClass },
                    ),
                  ),
                },
                { minProperties: 1, description: classTexts.matchResources },
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
          generatePatchesExtension: optional(
            string({
              minLength: 1,
              maxLength: 512,
              description:
                'generatePatchesExtension is the name of the Runtime Extension handler that generates patches for the templates.',
            }),
          ),
          settings: optional(map(string(), { description: classTexts.settings })),
          validateTopologyExtension: optional(
            string({
              minLength: 1,
              maxLength: 512,
              description:
                'validateTopologyExtension is the name of the Runtime Extension handler that validates the patched templates.',
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
    description: classTexts.classPatches,
    minItems: 1,
    maxItems: 1000,
  },
);
