import { conditions } from '@slipway/cluster-api/schemas';
import { dateTime, defineKind, int64, object, type ObjectOf, optional, string } from '@slipway/kube/kit';
import { ageColumn, readyColumn } from './columns.js';
import { group } from './names.js';

export const compatibilityConfig = defineKind({
  group,
  kind: 'CompatibilityConfig',
  plural: 'compatibilityconfigs',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Where the compatibility matrix comes from. The one called compat-matrix-config counts.',
      columns: [{ name: 'Revision', type: 'string', jsonPath: '.status.revision' }, readyColumn, ageColumn],
      schema: {
        spec: optional(
          object(
            {
              matrixURL: optional(string({ maxLength: 2048 })),
              matrixConfigMapRef: optional(object({ name: string({ minLength: 1 }), key: optional(string()) })),
              matrixInline: optional(string({ maxLength: 1_000_000 })),
              sha256: optional(string({ pattern: '^[0-9a-f]{64}$' })),
            },
            {
              rules: [
                {
                  rule: '[has(self.matrixURL), has(self.matrixConfigMapRef), has(self.matrixInline)].filter(x, x).size() <= 1',
                  message: 'only one of matrixURL, matrixConfigMapRef and matrixInline may be set',
                },
              ],
            },
          ),
        ),
        status: optional(
          object({
            observedGeneration: optional(int64()),
            revision: optional(string()),
            lastDownloadTime: optional(dateTime()),
            conditions: optional(conditions),
          }),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type CompatibilityConfig = ObjectOf<typeof compatibilityConfig>;
