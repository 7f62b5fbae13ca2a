import { conditions } from '@slipway/cluster-api/schemas';
import { dateTime, defineKind, int64, object, type ObjectOf, optional, refine, string } from '@slipway/kube/kit';
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
      description:
        'Source of the compatibility matrix of the operator. Only the object named compat-matrix-config in the namespace of the operator is used.',
      columns: [{ name: 'Revision', type: 'string', jsonPath: '.status.revision' }, readyColumn, ageColumn],
      schema: {
        spec: optional(
          object(
            {
              matrixURL: optional(
                string({
                  maxLength: 2048,
                  description:
                    'URL of the matrix. The operator downloads it at regular intervals, and keeps the last valid one if the download fails.',
                }),
              ),
              matrixConfigMapRef: optional(
                object(
                  {
                    name: string({ minLength: 1, description: 'Name of the ConfigMap.' }),
                    key: optional(
                      string({ description: 'Key of the matrix in the ConfigMap. Defaults to versionConfigContent.' }),
                    ),
                  },
                  { description: 'ConfigMap with the matrix, in the namespace of the operator.' },
                ),
              ),
              matrixInline: optional(
                string({ maxLength: 1_000_000, description: 'The matrix itself, as JSON or YAML.' }),
              ),
              sha256: optional(
                string({
                  pattern: '^[0-9a-f]{64}$',
                  description:
                    'SHA-256 digest of the matrix in hexadecimal. A matrix with another digest is rejected. If not set, the digest is not checked.',
                }),
              ),
            },
            {
              description:
                'Source of the matrix. At most one of matrixURL, matrixConfigMapRef and matrixInline can be set; without any of them, the ConfigMap compat-matrix-config or the matrix of the operator image is used.',
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
          object(
            {
              observedGeneration: optional(
                int64({ description: 'Generation of the spec that the status was computed from.' }),
              ),
              revision: optional(string({ description: 'Revision of the matrix in use.' })),
              lastDownloadTime: optional(dateTime({ description: 'When the matrix in use was loaded.' })),
              conditions: optional(refine(conditions, { description: 'Current state of the matrix. Type: Ready.' })),
            },
            { description: 'Observed state of the matrix.' },
          ),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type CompatibilityConfig = ObjectOf<typeof compatibilityConfig>;
