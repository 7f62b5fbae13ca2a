import { anyValue, boolean, enumeration, list, map, object, optional, string } from '@slipway/kube/kit';

export const classPatchesV1Beta1 = list(
  object({
    definitions: optional(
      list(
        object({
          jsonPatches: list(
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
            { maxItems: 100 },
          ),
          selector: object({
            apiVersion: string({ minLength: 1, maxLength: 512 }),
            kind: string({ minLength: 1, maxLength: 256 }),
            matchResources: object({
              controlPlane: optional(boolean()),
              infrastructureCluster: optional(boolean()),
              machineDeploymentClass: optional(
                object({
                  names: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
                }),
              ),
              machinePoolClass: optional(
                object({
                  names: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
                }),
              ),
            }),
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
        generateExtension: optional(string({ minLength: 1, maxLength: 512 })),
        settings: optional(map(string())),
        validateExtension: optional(string({ minLength: 1, maxLength: 512 })),
      }),
    ),
    name: string({ minLength: 1, maxLength: 256 }),
  }),
  { maxItems: 1000 },
);
