import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';
import { providerConditions, providerReadyV1beta1 } from './provider-conditions.js';
import { providerCondition, type ProviderConditionOptions, type ProviderState } from './provider-state.js';

const lastTransitionTime = '2026-01-01T00:00:00Z';
const object = (status: unknown): KubeObject => ({ apiVersion: 'g/v1', kind: 'Boat', metadata: { name: 'b' }, status });
const found = (status: unknown): ProviderState => ({
  type: 'found',
  object: object(status),
  kind: {
    contract: 'v1beta2',
    resource: { group: 'g', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true },
  },
});
const missing: ProviderState = { type: 'missing' };

describe('providerCondition', () => {
  const rows: { name: string; given: Partial<ProviderConditionOptions>; then: string }[] = [
    {
      name: 'copies the condition of the provider',
      given: {
        state: found({
          conditions: [{ type: 'Ready', status: 'False', reason: 'Leak', message: 'wet', lastTransitionTime }],
        }),
      },
      then: 'False Leak: wet',
    },
    {
      name: 'uses the flag if there is no condition',
      given: { state: found({}) },
      then: 'False NotReady: Boat status.initialization.provisioned is false',
    },
    { name: 'uses the flag that is set', given: { state: found({}), achieved: true }, then: 'True Ready: ' },
    {
      name: 'prefers the v1beta2 conditions of a v1beta1 object',
      given: {
        state: found({
          conditions: [{ type: 'Ready', status: 'True' }],
          v1beta2: {
            conditions: [{ type: 'Ready', status: 'False', reason: 'New', message: 'n', lastTransitionTime }],
          },
        }),
      },
      then: 'False New: n',
    },
    {
      name: 'adds the missing reason to a True condition',
      given: { state: found({ conditions: [{ type: 'Ready', status: 'True' }] }) },
      then: 'True Ready: ',
    },
    {
      name: 'keeps the placeholder reason of other conditions',
      given: { state: found({ conditions: [{ type: 'Ready', status: 'False', severity: 'Info', message: 'm' }] }) },
      then: 'False NoReasonReported: m',
    },
    {
      name: 'reports invalid conditions',
      given: { state: found({ conditions: [{ type: 'Ready', status: 'Perhaps' }] }) },
      then: 'Unknown InvalidConditionReported: Boat status.conditions: status for the Ready condition must be one of True, False, Unknown',
    },
    {
      name: 'hides the details of internal errors',
      given: { state: { type: 'failed', error: new Error('secret') } },
      then: 'Unknown InternalError: Please check controller logs for errors',
    },
    {
      name: 'reports expected errors',
      given: {
        state: { type: 'failed', error: new ReconcileError('X', 'no boats', { retry: 'later', remedy: 'build one' }) },
      },
      then: 'Unknown InternalError: no boats; build one',
    },
    {
      name: 'reports an object that does not exist yet',
      given: { state: missing },
      then: 'False ObjectDoesNotExist: Boat does not exist',
    },
    {
      name: 'reports a deleted object that is still needed',
      given: { state: missing, achieved: true, needsIt: 'Machine' },
      then: 'False ObjectDeleted: Boat has been deleted while the Machine still exists',
    },
    {
      name: 'reports a deleted object that is no longer needed',
      given: { state: missing, achieved: true },
      then: 'False ObjectDoesNotExist: Boat does not exist',
    },
    {
      name: 'reports an object that was deleted as expected',
      given: { state: missing, achieved: true, needsIt: 'cluster', isDeleting: true },
      then: 'False ObjectDeleted: Boat has been deleted',
    },
    {
      name: 'reports an object that never existed during deletion',
      given: { state: missing, isDeleting: true },
      then: 'False ObjectDoesNotExist: Boat does not exist',
    },
  ];
  it.each(rows)('$name', ({ given, then }) => {
    const condition = providerCondition({
      type: 'InfrastructureReady',
      source: 'Ready',
      kind: 'Boat',
      state: missing,
      achieved: false,
      flagPath: 'status.initialization.provisioned',
      isDeleting: false,
      ...given,
    });
    expect(condition.type).toBe('InfrastructureReady');
    expect(`${condition.status} ${condition.reason}: ${condition.message}`).toBe(then);
  });
});

it('rejects conditions without a type', () => {
  expect(() => providerConditions(object({ conditions: [{ status: 'True' }] }))).toThrow('type must be set');
  expect(providerConditions(object({ conditions: 'none' }))).toEqual([]);
  expect(providerConditions(object({ conditions: [7] }))).toEqual([]);
});

it('finds the deprecated Ready condition in both contracts', () => {
  const ready = { type: 'Ready', status: 'False', severity: 'Info', reason: 'R', message: 'm', lastTransitionTime };
  expect(providerReadyV1beta1(object({ deprecated: { v1beta1: { conditions: [ready] } } }))).toEqual(ready);
  expect(providerReadyV1beta1(object({ conditions: [{ type: 'Other' }, { type: 'Ready', status: 'True' }] }))).toEqual({
    type: 'Ready',
    status: 'True',
    lastTransitionTime: '',
  });
  expect(providerReadyV1beta1(object({}))).toBeUndefined();
});
