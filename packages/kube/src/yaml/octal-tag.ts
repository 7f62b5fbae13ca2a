import type { ScalarTag } from 'yaml';

/**
 * Tag for numbers such as `0o17`. They are YAML 1.2, but upstream's YAML 1.1 parser accepts them, so such strings need quotes.
 */
export const octalTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  format: 'OCT',
  test: /^[-+]?0o[0-7_]*[0-7][0-7_]*$/,
  identify: () => false,
  resolve: (text) => {
    const digits = BigInt(text.replaceAll('_', '').replace(/^[-+]/, ''));
    return text.startsWith('-') ? -digits : digits;
  },
};
