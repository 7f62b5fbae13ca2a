import { itemsOf, ensureList } from '@slipway/kube';
import type { AdmissionPlugin } from '../../contract/index.js';
import { specOf, writes } from './pod-request.js';

const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const seconds = 300;

/** Adds tolerations of 5 minutes for the not-ready and unreachable taints, unless the pod has its own. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  handles: (request) => writes(request, 'pods', ['CREATE', 'UPDATE']),
  mutate({ object }) {
    if (object === undefined) return;
    const spec = specOf(object);
    const known = itemsOf(spec['tolerations']);
    const missing = taints.filter((taint) => !known.some((one) => tolerates(one, taint)));
    if (missing.length === 0) return;
    ensureList(spec, 'tolerations').push(
      ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds })),
    );
  },
};

function tolerates(toleration: Readonly<Record<string, unknown>>, taint: string): boolean {
  const [key, effect] = [toleration['key'] ?? '', toleration['effect'] ?? ''];
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}
