import type { JsonObject, KubeObject } from '@slipway/kube';
import { controllersAccount, namespaces, operatorName } from '../names.js';

interface PolicyRule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
}

export interface PolicyDeclaration {
  readonly name: string;
  readonly namespace: string;
  readonly rule: PolicyRule;
  /** Counterpart in the other API. Expressions access the object of the same name as `params`. */
  readonly twin?: { readonly apiVersion: string; readonly kind: string; readonly namespace: string };
  /** Match conditions by name. Only requests that match all of them are validated. */
  readonly conditions?: Readonly<Record<string, string>>;
  /** Whether the policy applies to users only, and exempts the controllers. */
  readonly isForUsers?: boolean;
  readonly warnsOnly?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  readonly validations: readonly Validation[];
}

const api = 'admissionregistration.k8s.io/v1';
const controllers = [
  `system:serviceaccount:${namespaces.machineApi}:machine-api-controllers`,
  `system:serviceaccount:${namespaces.clusterApi}:${controllersAccount}`,
  // The operator and the migration run in one process, with the service account of the operator.
  `system:serviceaccount:${namespaces.clusterApi}:${operatorName}`,
];

/** Returns a policy and its binding. */
export function policyObjects(declaration: PolicyDeclaration, exempt: readonly string[] = []): readonly KubeObject[] {
  const { name, namespace, twin, warnsOnly = false } = declaration;
  const paramRef = twin && {
    paramRef: { namespace: twin.namespace, selector: {}, parameterNotFoundAction: 'Allow' },
  };
  return [
    { apiVersion: api, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: specOf(declaration, exempt) },
    {
      apiVersion: api,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: [warnsOnly ? 'Warn' : 'Deny'],
        ...paramRef,
        matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
      },
    },
  ];
}

function specOf(declaration: PolicyDeclaration, exempt: readonly string[]): JsonObject {
  const { rule, twin, warnsOnly = false, validations, variables = {}, isForUsers = false } = declaration;
  const conditions: Readonly<Record<string, string>> = {
    ...(isForUsers && {
      'not-a-controller': `!(request.userInfo.username in ${JSON.stringify([...controllers, ...exempt])})`,
    }),
    ...declaration.conditions,
  };
  const isTwin = 'params.metadata.name != object.metadata.name';
  return {
    failurePolicy: warnsOnly ? 'Ignore' : 'Fail',
    ...(twin && { paramKind: { apiVersion: twin.apiVersion, kind: twin.kind } }),
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [...rule.groups],
          apiVersions: ['*'],
          operations: [...rule.operations],
          resources: [...rule.resources],
        },
      ],
    },
    matchConditions: Object.entries(conditions).map(([name, expression]) => ({ name, expression })),
    variables: Object.entries(variables).map(([name, expression]) => ({ name, expression })),
    // The binding selects all objects of a namespace, so the expression compares the name.
    validations: validations.map(({ expression, message }) => ({
      expression: twin === undefined ? expression : `${isTwin} || (${expression})`,
      message,
    })),
  };
}
