import { describe, expect, it } from 'vitest';
import { createIn, rowOf, updateIn } from '../test-support.js';
import { mutatingAdmissionPolicies } from './mutating-admission-policy.js';
import { mutatingWebhookConfigurations } from './mutating-webhook-configuration.js';
import { validatingAdmissionPolicies } from './validating-admission-policy.js';
import { validatingAdmissionPolicyBindings } from './validating-admission-policy-binding.js';
import { validatingWebhookConfigurations } from './validating-webhook-configuration.js';

const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
const hook = {
  name: 'check.example.com',
  clientConfig: { url: 'https://x/y' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules,
};

describe('webhook configurations', () => {
  it('set the defaults of upstream', async () => {
    const service = { name: 's', namespace: 'n' };
    const { object, errors } = await createIn(mutatingWebhookConfigurations, {
      webhooks: [{ ...hook, clientConfig: { service } }],
    });
    expect(errors).toEqual([]);
    expect(object).toMatchObject({
      metadata: { generation: 1 },
      webhooks: [
        {
          failurePolicy: 'Fail',
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
          timeoutSeconds: 10,
          reinvocationPolicy: 'Never',
          clientConfig: { service: { port: 443 } },
          rules: [{ scope: '*' }],
        },
      ],
    });
  });

  it.each([
    {
      name: 'a webhook without required fields',
      webhooks: [{ name: 'a' }],
      errors: [
        'webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots',
        'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
        'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
        'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
      ],
    },
    {
      name: 'plain http',
      webhooks: [{ ...hook, clientConfig: { url: 'http://x' } }],
      errors: [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    },
    {
      name: 'a duplicate name',
      webhooks: [hook, hook],
      errors: ['webhooks[1].name: Duplicate value: "check.example.com"'],
    },
    {
      name: 'a timeout out of range',
      webhooks: [{ ...hook, timeoutSeconds: 31 }],
      errors: ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    },
  ])('reject $name', async ({ webhooks, errors }) => {
    expect((await createIn(validatingWebhookConfigurations, { webhooks })).errors).toEqual(errors);
  });

  it('increment generation when their webhooks change', async () => {
    const { object } = await createIn(validatingWebhookConfigurations, { webhooks: [hook] });
    const { object: next } = await updateIn(validatingWebhookConfigurations, object, {
      webhooks: [{ ...hook, timeoutSeconds: 5 }],
    });
    expect(next.metadata.generation).toBe(2);
    expect(rowOf(validatingWebhookConfigurations, next)).toMatchObject({ Webhooks: 1 });
  });
});

describe('admission policies', () => {
  const matchConstraints = { resourceRules: rules };

  it.each([
    {
      name: 'rejects an empty validating policy',
      definition: validatingAdmissionPolicies,
      spec: {},
      errors: [
        'spec.matchConstraints: Required value',
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    },
    {
      name: 'accepts a valid validating policy',
      definition: validatingAdmissionPolicies,
      spec: { matchConstraints, validations: [{ expression: 'true' }] },
      errors: [],
    },
    {
      name: 'rejects an empty mutating policy',
      definition: mutatingAdmissionPolicies,
      spec: {},
      errors: [
        'spec.matchConstraints: Required value',
        'spec.mutations: Required value: mutations must contain at least one item',
        'spec.reinvocationPolicy: Required value',
      ],
    },
    {
      name: 'rejects a binding with both Deny and Warn',
      definition: validatingAdmissionPolicyBindings,
      spec: { policyName: 'p', validationActions: ['Deny', 'Warn'] },
      errors: [
        'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    },
  ])('$name', async ({ definition, spec, errors }) => {
    expect((await createIn(definition, { spec })).errors).toEqual(errors);
  });
});
