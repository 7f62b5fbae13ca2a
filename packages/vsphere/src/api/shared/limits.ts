import { atomicList, type Node, string } from '@slipway/kube/kit';

/** A string that is not empty when present. */
export function text(maxLength: number, description?: string): Node<string> {
  return string({ minLength: 1, maxLength, description });
}

/** An atomic list of such strings. */
export function texts(maxItems: number, maxLength: number, description?: string): Node<string[]> {
  return atomicList(text(maxLength), { maxItems, description });
}
