import type { MutableJson } from '@slipway/kube';

/** Dependencies of a conversion. */
export interface ConversionContext {
  readonly namespace: string | undefined;
  /** Whether `restore` runs after the conversion and restores fields that the old version lacks. */
  readonly restoring: boolean;
  /** Returns the apiVersion of references to a provider kind, such as `infrastructure.cluster.x-k8s.io/v1beta1`. */
  apiVersionOf(apiGroup: string, kind: string): string;
}

/**
 * Converts one value between its old and its new form. Both directions own their argument and may change it in place. A value
 * of an unexpected type is passed through, for validation to reject.
 */
export interface Codec {
  up(value: MutableJson, context: ConversionContext): MutableJson | undefined;
  down(value: MutableJson, context: ConversionContext): MutableJson | undefined;
}

export const same: Codec = { up: (value) => value, down: (value) => value };

/** Applies a codec to every item of a list. */
export function each(item: Codec): Codec {
  const convert =
    (direction: 'up' | 'down') =>
    (value: MutableJson, context: ConversionContext): MutableJson =>
      Array.isArray(value) ? value.map((entry) => item[direction](entry, context) ?? entry) : value;
  return { up: convert('up'), down: convert('down') };
}
