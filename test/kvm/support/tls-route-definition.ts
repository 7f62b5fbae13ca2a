/** A minimal CRD of Gateway API's TLSRoute, in its alpha version. */
export const tlsRouteDefinition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'tlsroutes.gateway.networking.k8s.io',
    // Without this annotation a server rejects CRDs in *.k8s.io groups.
    annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
  },
  spec: {
    group: 'gateway.networking.k8s.io',
    scope: 'Namespaced',
    names: { kind: 'TLSRoute', listKind: 'TLSRouteList', plural: 'tlsroutes', singular: 'tlsroute' },
    versions: [
      {
        name: 'v1alpha2',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['rules'],
                properties: {
                  hostnames: { type: 'array', maxItems: 16, items: { type: 'string' } },
                  parentRefs: { type: 'array', items: reference(['name', 'namespace', 'sectionName'], []) },
                  rules: {
                    type: 'array',
                    minItems: 1,
                    items: {
                      type: 'object',
                      required: ['backendRefs'],
                      properties: { backendRefs: { type: 'array', minItems: 1, items: reference(['name'], ['port']) } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
});

function reference(texts: readonly string[], numbers: readonly string[]): object {
  const fields = [
    ...texts.map((name) => [name, { type: 'string' }] as const),
    ...numbers.map((name) => [name, { type: 'integer' }] as const),
  ];
  return { type: 'object', required: ['name'], properties: Object.fromEntries(fields) };
}
