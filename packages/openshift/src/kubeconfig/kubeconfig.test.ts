import { formatTime } from '@slipway/kube';
import { parseKubeconfig, type Secret } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { kubeconfigSecret, refreshAnnotation, tokenAgeMs } from './kubeconfig.js';

const nowMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;

function token(fields: Partial<Secret> = {}, annotation?: string): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'capi-controllers-token',
      creationTimestamp: formatTime(nowMs - 31 * minuteMs),
      ...(annotation !== undefined && { annotations: { [refreshAnnotation]: annotation } }),
    },
    data: { token: Buffer.from('abc').toString('base64'), 'ca.crt': Buffer.from('authority').toString('base64') },
    ...fields,
  };
}

describe('the kubeconfig of the management cluster', () => {
  it.each([
    { name: 'from the creation of its Secret', given: token(), then: 31 },
    { name: 'from its last renewal', given: token({}, formatTime(nowMs - 29 * minuteMs)), then: 29 },
    {
      name: 'from the creation of its Secret if the annotation is not a time',
      given: token({}, 'yesterday'),
      then: 31,
    },
    { name: 'as zero for a time in the future', given: token({}, formatTime(nowMs + 5 * minuteMs)), then: 0 },
  ])('counts the age of its token $name', ({ given, then }) => {
    expect(tokenAgeMs(given, nowMs)).toBe(then * minuteMs);
  });

  it('can be parsed by clients', () => {
    const secret = kubeconfigSecret(token(), 'demo', 'https://10.0.0.1:443');
    expect(secret).toMatchObject({
      type: 'cluster.x-k8s.io/secret',
      metadata: { name: 'demo-kubeconfig', labels: { 'cluster.x-k8s.io/cluster-name': 'demo' } },
    });
    const text = Buffer.from(secret?.data?.['value'] ?? '', 'base64').toString('utf8');
    expect(parseKubeconfig(text)).toMatchObject({ currentContext: 'demo' });
    expect(text).toContain('token: abc');
  });

  it('is not written without a token [operators 31]', () => {
    expect(kubeconfigSecret(token({ data: {} }), 'demo', 'https://x')).toBeUndefined();
    expect(kubeconfigSecret(token({ data: { token: 'YQ==' } }), 'demo', 'https://x')).toBeUndefined();
  });
});
