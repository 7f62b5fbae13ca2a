import type { ObjectChange } from '@slipway/runtime';
import { expect, it } from 'vitest';
import { watchFilter } from './watch-filter.js';

const labelled = (labels: Record<string, string>): ObjectChange => ({
  type: 'added',
  object: { apiVersion: 'v1', kind: 'K', metadata: { name: 'k', labels } },
  isInitial: false,
});

it.each<{ name: string; value: string; labels: Record<string, string>; then: boolean }>([
  {
    name: 'passes an object with the value',
    value: 'me',
    labels: { 'cluster.x-k8s.io/watch-filter': 'me' },
    then: true,
  },
  {
    name: 'drops an object with another value',
    value: 'me',
    labels: { 'cluster.x-k8s.io/watch-filter': 'you' },
    then: false,
  },
  { name: 'drops an object without the label', value: 'me', labels: {}, then: false },
  { name: 'passes every object without a value', value: '', labels: {}, then: true },
])('$name', ({ value, labels, then }) => {
  expect(watchFilter(value)(labelled(labels))).toBe(then);
});
