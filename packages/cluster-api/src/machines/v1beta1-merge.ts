import {
  getV1beta1Condition,
  stateV1beta1,
  type V1beta1Conditioned,
  type V1beta1State,
  worstV1beta1,
} from '../toolkit/index.js';
import { nameOf } from './machine.js';

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name?: string };
}

/** Merges the deprecated Ready conditions of many objects into one. Undefined if none of them has the condition. */
export function aggregateV1beta1Ready(objects: readonly Named[]): V1beta1State | undefined {
  const found = objects.flatMap((object) => {
    const ready = getV1beta1Condition(object as V1beta1Conditioned, 'Ready');
    return ready === undefined ? [] : [{ ...ready, source: `${object.kind}/${nameOf(object)}` }];
  });
  const worst = worstV1beta1(found);
  if (worst === undefined) return undefined;
  const completed = found.filter(({ status }) => status === 'True').length;
  const reason = `${worst.reason ?? ''} @ ${worst.source}`;
  return stateV1beta1({ ...worst, reason }, `${completed} of ${objects.length} completed`);
}
