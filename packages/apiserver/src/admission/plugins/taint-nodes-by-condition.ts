import { itemsOf, ensureList } from '@slipway/kube';
import type { AdmissionPlugin } from '../../contract/index.js';
import { specOf, writes } from './pod-request.js';

const notReady = 'node.kubernetes.io/not-ready';

/** Adds the not-ready taint to new nodes. The node lifecycle controller removes it. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  handles: (request) => writes(request, 'nodes', ['CREATE']),
  mutate({ object }) {
    if (object === undefined) return;
    const spec = specOf(object);
    if (itemsOf(spec['taints']).some((taint) => taint['key'] === notReady && taint['effect'] === 'NoSchedule')) return;
    ensureList(spec, 'taints').push({ key: notReady, effect: 'NoSchedule' });
  },
};
