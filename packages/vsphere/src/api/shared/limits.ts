import { atomicList, type Node, string } from '@slipway/kube/kit';

/** Returns a schema of a string that is not empty when present. */
export function text(maxLength: number, description?: string): Node<string> {
  return string({ minLength: 1, maxLength, description });
}

/** Returns a schema of an atomic list of strings that are not empty. */
export function texts(maxItems: number, maxLength: number, description?: string): Node<string[]> {
  return atomicList(text(maxLength), { maxItems, description });
}
