const crdGroup = 'apiextensions.k8s.io/v1';
const rbacGroup = 'rbac.authorization.k8s.io/v1';
const group = 'hostile.example.com';

interface Created {
  readonly path: string;
  readonly object: object;
}

/**
 * Objects that give a ServiceAccount its own namespace, with ConfigMaps and a custom resource that holds large lists.
 */
export function tenantObjects(namespace: string): Created[] {
  const rules = [
    { apiGroups: [group], resources: ['stacks'], verbs: ['*'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['*'] },
  ];
  const account = { kind: 'ServiceAccount', name: 'hostile', namespace };
  const roles = `/apis/${rbacGroup}/namespaces/${namespace}`;
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'hostile' };
  const metadata = { name: 'hostile' };
  return [
    { path: '/api/v1/namespaces', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } },
    { path: `/apis/${crdGroup}/customresourcedefinitions`, object: definition() },
    {
      path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
      object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    },
    { path: `${roles}/roles`, object: { apiVersion: rbacGroup, kind: 'Role', metadata, rules } },
    {
      path: `${roles}/rolebindings`,
      object: { apiVersion: rbacGroup, kind: 'RoleBinding', metadata, subjects: [account], roleRef },
    },
  ];
}

function definition(): object {
  const port = {
    type: 'object',
    required: ['port'],
    properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
  };
  const spec = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      note: { type: 'string' },
      items: { type: 'array', items: { type: 'integer' } },
      ports: {
        type: 'array',
        items: port,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port'],
      },
    },
  };
  return {
    apiVersion: crdGroup,
    kind: 'CustomResourceDefinition',
    metadata: { name: `stacks.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'stacks', singular: 'stack', kind: 'Stack' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}
