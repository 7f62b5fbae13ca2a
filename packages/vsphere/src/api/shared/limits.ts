import { atomicList, type Node, string } from '@slipway/kube/kit';

/** Text that is either absent or says something. */
export function text(maxLength: number): Node<string> {
  return string({ minLength: 1, maxLength });
}

/** A list of such text, replaced as a whole. */
export function texts(maxItems: number, maxLength: number): Node<string[]> {
  return atomicList(text(maxLength), { maxItems });
}
