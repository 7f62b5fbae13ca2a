import type { Observed } from '@slipway/insight';
import { describe, expect, it } from 'vitest';
import type { Tone } from '../model/cluster.js';
import { conditionTone, toneOf } from './tones.js';

interface Row {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly severity?: string;
  readonly tone: Tone;
}

describe('the tone of a condition or object', () => {
  it.each<Row>([
    { type: 'Available', status: 'True', tone: 'good' },
    { type: 'Available', status: 'False', tone: 'bad' },
    { type: 'Available', status: 'Unknown', tone: 'wait' },
    { type: 'Ready', status: 'False', severity: 'Info', tone: 'wait' },
    { type: 'Ready', status: 'False', severity: 'Error', tone: 'bad' },
    ...['Deleting', 'RollingOut', 'Paused', 'ScalingUp', 'ScalingDown', 'Remediating', 'Updating'].flatMap(
      (type): Row[] => [
        { type, status: 'True', tone: 'wait' },
        { type, status: 'False', tone: 'off' },
      ],
    ),
  ])('a condition $type=$status with severity $severity is $tone', ({ tone, ...condition }) => {
    expect(conditionTone(condition)).toBe(tone);
  });

  it.each<{ name: string; conditions: readonly (readonly [string, string])[]; tone: Tone }>([
    { name: 'no conditions', conditions: [], tone: 'off' },
    { name: 'only Paused=False', conditions: [['Paused', 'False']], tone: 'off' },
    { name: 'Paused=True', conditions: [['Paused', 'True']], tone: 'wait' },
    {
      name: 'VariablesReady=True and Paused=False',
      conditions: [
        ['VariablesReady', 'True'],
        ['Paused', 'False'],
      ],
      tone: 'good',
    },
    {
      name: 'Ready=True and RollingOut=True',
      conditions: [
        ['Ready', 'True'],
        ['RollingOut', 'True'],
      ],
      tone: 'good',
    },
    {
      name: 'Ready=False and Deleting=False',
      conditions: [
        ['Ready', 'False'],
        ['Deleting', 'False'],
      ],
      tone: 'bad',
    },
  ])('an object with $name is $tone', ({ conditions, tone }) => {
    const list = conditions.map(([type, status]) => ({
      type,
      status,
      reason: 'R',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }));
    const object = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'ClusterClass',
      metadata: { name: 'a' },
      status: { conditions: list },
    };
    expect(toneOf(object as unknown as Observed)).toBe(tone);
  });

  it('provisioned infrastructure without conditions is good', () => {
    const object = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevCluster',
      metadata: { name: 'a' },
      spec: {},
      status: { initialization: { provisioned: true } },
    };
    expect(toneOf(object as unknown as Observed)).toBe('good');
  });
});
