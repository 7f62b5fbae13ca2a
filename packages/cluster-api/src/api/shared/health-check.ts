import { atomicList, enumeration, int32, intOrString, list, object, optional, refine, string } from '@slipway/kube/kit';
import { qualifiedNamePattern, rangePattern } from './patterns.js';
import { objectReference, templateReference } from './references.js';

const texts = {
  unhealthyMachineConditions:
    'unhealthyMachineConditions are conditions of the Machine that make it unhealthy. The entries are ORed.',
  unhealthyMachineConditionsStatus: 'status is the status of the Machine condition that counts as unhealthy.',
  timeoutSeconds:
    'timeoutSeconds is how long, in seconds, the condition must keep the given status before the Machine is considered unhealthy. Counted from lastTransitionTime.',
  unhealthyMachineConditionsType:
    'type is the type of a Machine condition. Conditions that depend on health checks, such as Ready, are not allowed.',
  unhealthyNodeConditionsStatus:
    'status is the status of the Node condition that counts as unhealthy, such as False or Unknown.',
  unhealthyNodeConditionsType: 'type is the type of a Node condition, such as Ready.',
  remediation: 'remediation configures how and when unhealthy Machines are remediated.',
  templateRef:
    'templateRef refers to a remediation template of a provider. If set, an object created from it remediates the Machine instead of the owner of the Machine.',
  timeout:
    'timeout is how long the condition must keep the given status before the Machine is considered unhealthy, as a duration such as 5m. Counted from lastTransitionTime.',
};

export const healthChecks = object(
  {
    nodeStartupTimeoutSeconds: optional(
      int32({
        minimum: 0,
        description:
          'nodeStartupTimeoutSeconds is how long, in seconds, a Machine may take until its Node joins the cluster, before it is considered unhealthy. Defaults to 600. 0 disables the check; other values must be at least 30.',
      }),
    ),
    unhealthyMachineConditions: optional(
      atomicList(
        object({
          status: enumeration(['True', 'False', 'Unknown'], { description: texts.unhealthyMachineConditionsStatus }),
          timeoutSeconds: int32({ minimum: 0, description: texts.timeoutSeconds }),
          type: string({
            pattern: qualifiedNamePattern,
            minLength: 1,
            maxLength: 316,
            rules: [
              {
                rule: "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
                message:
                  'must not be a condition that health checks themselves depend on: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
              },
            ],
            description: texts.unhealthyMachineConditionsType,
          }),
        }),
        { minItems: 1, maxItems: 100, description: texts.unhealthyMachineConditions },
      ),
    ),
    unhealthyNodeConditions: optional(
      atomicList(
        object({
          status: string({ minLength: 1, description: texts.unhealthyNodeConditionsStatus }),
          timeoutSeconds: int32({ minimum: 0, description: texts.timeoutSeconds }),
          type: string({ minLength: 1, description: texts.unhealthyNodeConditionsType }),
        }),
        {
          minItems: 1,
          maxItems: 100,
          description:
            'unhealthyNodeConditions are conditions of the Node that make its Machine unhealthy. The entries are ORed.',
        },
      ),
    ),
  },
  {
    description:
      'checks are the criteria by which a Machine is considered unhealthy. A Machine is unhealthy if at least one of them matches.',
    minProperties: 1,
  },
);

const remediationTrigger = object(
  {
    unhealthyInRange: optional(
      string({
        pattern: rangePattern,
        minLength: 1,
        maxLength: 32,
        description:
          'unhealthyInRange allows remediation only while the number of unhealthy Machines is in this range, written as [min-max], both inclusive. Takes precedence over unhealthyLessThanOrEqualTo.',
      }),
    ),
    unhealthyLessThanOrEqualTo: optional(
      intOrString({
        description:
          'unhealthyLessThanOrEqualTo allows remediation only while at most this number of Machines is unhealthy. An absolute number, or a percentage of the selected Machines, rounded down. Defaults to 100%.',
      }),
    ),
  },
  {
    minProperties: 1,
    description:
      'triggerIf allows remediation only while the number of unhealthy Machines is within limits. If not set, remediation is always allowed.',
  },
);

export const remediation = object(
  {
    templateRef: optional(refine(templateReference, { description: texts.templateRef })),
    triggerIf: optional(remediationTrigger),
  },
  { description: texts.remediation, minProperties: 1 },
);

export const deploymentRemediation = object(
  {
    maxInFlight: optional(
      intOrString({
        description:
          'maxInFlight is how many Machines may be under remediation at the same time. An absolute number, or a percentage of the replicas, rounded up. Defaults to no limit.',
      }),
    ),
    templateRef: optional(refine(templateReference, { description: texts.templateRef })),
    triggerIf: optional(remediationTrigger),
  },
  { minProperties: 1, description: texts.remediation },
);

const unhealthyNodeConditionsV1Beta1 = list(
  object({
    status: string({ minLength: 1, description: texts.unhealthyNodeConditionsStatus }),
    timeout: string({ description: texts.timeout }),
    type: string({ minLength: 1, description: texts.unhealthyNodeConditionsType }),
  }),
  {
    maxItems: 100,
    description:
      'unhealthyConditions are conditions of the Node that make its Machine unhealthy. The entries are ORed.',
  },
);

const unhealthyMachineConditionsV1Beta1 = atomicList(
  object({
    status: enumeration(['True', 'False', 'Unknown'], { description: texts.unhealthyMachineConditionsStatus }),
    timeout: string({ description: texts.timeout }),
    type: string({
      pattern: qualifiedNamePattern,
      minLength: 1,
      maxLength: 316,
      rules: [
        {
          rule: "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
          message:
            'must not be a condition that health checks themselves depend on: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
        },
      ],
      description: texts.unhealthyMachineConditionsType,
    }),
  }),
  { minItems: 1, maxItems: 100, description: texts.unhealthyMachineConditions },
);

/** The health check fields of the v1beta1 API, which has them inline. */
export const healthCheckFieldsV1Beta1 = {
  maxUnhealthy: optional(
    intOrString({
      description:
        'maxUnhealthy allows remediation only while at most this number of Machines is unhealthy. An absolute number, or a percentage of the selected Machines, rounded down. Defaults to 100%.',
    }),
  ),
  nodeStartupTimeout: optional(
    string({
      description:
        'nodeStartupTimeout is how long a Machine may take until its Node joins the cluster, as a duration such as 10m, before it is considered unhealthy. Defaults to 10m. 0s disables the check; other values must be at least 30s.',
    }),
  ),
  remediationTemplate: optional(
    refine(objectReference, {
      description:
        'remediationTemplate refers to a remediation template of a provider. If set, an object created from it remediates the Machine instead of the owner of the Machine.',
    }),
  ),
  unhealthyConditions: optional(unhealthyNodeConditionsV1Beta1),
  unhealthyMachineConditions: optional(unhealthyMachineConditionsV1Beta1),
  unhealthyRange: optional(
    string({
      pattern: rangePattern,
      minLength: 1,
      maxLength: 32,
      description:
        'unhealthyRange allows remediation only while the number of unhealthy Machines is in this range, written as [min-max], both inclusive. Takes precedence over maxUnhealthy.',
    }),
  ),
};
