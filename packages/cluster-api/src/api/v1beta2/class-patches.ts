import { anyValue, atomicList, boolean, enumeration, map, object, optional, string } from '@slipway/kube/kit';
import { apiVersionPattern, kindPattern } from '../shared/patterns.js';

export const classPatches = atomicList(
  object({
    definitions: optional(
      atomicList(
        object({
          jsonPatches: atomicList(
            object({
              op: enumeration(['add', 'replace', 'remove']),
              path: string({ minLength: 1, maxLength: 512 }),
              value: optional(anyValue()),
              valueFrom: optional(
                object({
                  template: optional(string({ minLength: 1, maxLength: 10240 })),
                  variable: optional(string({ minLength: 1, maxLength: 256 })),
                }),
              ),
            }),
            { minItems: 1, maxItems: 100 },
          ),
          selector: object({
            apiVersion: string({ pattern: apiVersionPattern, minLength: 1, maxLength: 317 }),
            kind: string({ pattern: kindPattern, minLength: 1, maxLength: 63 }),
            matchResources: object(
              {
                controlPlane: optional(boolean()),
                infrastructureCluster: optional(boolean()),
                machineDeploymentClass: optional(
                  object({
                    names: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
                  }),
                ),
                machinePoolClass: optional(
                  object({
                    names: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
                  }),
                ),
              },
              { minProperties: 1 },
            ),
          }),
        }),
        { maxItems: 100 },
      ),
    ),
    description: optional(string({ minLength: 1, maxLength: 1024 })),
    enabledIf: optional(string({ minLength: 1, maxLength: 256 })),
    external: optional(
      object({
        discoverVariablesExtension: optional(string({ minLength: 1, maxLength: 512 })),
        generatePatchesExtension: optional(string({ minLength: 1, maxLength: 512 })),
        settings: optional(map(string())),
        validateTopologyExtension: optional(string({ minLength: 1, maxLength: 512 })),
      }),
    ),
    name: string({ minLength: 1, maxLength: 256 }),
  }),
  { description: 'Changes to the templates, applied in order.', minItems: 1, maxItems: 1000 },
);
