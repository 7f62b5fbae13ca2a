import type { MutableJson } from '@slipway/kube';

/** What a conversion may ask of its surroundings. */
export interface ConversionContext {
  readonly namespace: string | undefined;
  /** Whether what the old form could not say will be restored after this. */
  readonly restoring: boolean;
  /** The apiVersion under which objects of a provider are referred to, such as `infrastructure.cluster.x-k8s.io/v1beta1`. */
  apiVersionOf(apiGroup: string, kind: string): string;
}

/**
 * One value in its old and its new form. Both directions own what they are given and may change it in place; a value that
 * does not have the expected form is passed on as it is, for validation to refuse.
 */
export interface Codec {
  up(value: MutableJson, context: ConversionContext): MutableJson | undefined;
  down(value: MutableJson, context: ConversionContext): MutableJson | undefined;
}

export const same: Codec = { up: (value) => value, down: (value) => value };

/** The same codec for every item of a list. */
export function each(item: Codec): Codec {
  const convert =
    (direction: 'up' | 'down') =>
    (value: MutableJson, context: ConversionContext): MutableJson =>
      Array.isArray(value) ? value.map((entry) => item[direction](entry, context) ?? entry) : value;
  return { up: convert('up'), down: convert('down') };
}
