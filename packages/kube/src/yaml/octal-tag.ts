import type { ScalarTag } from 'yaml';

/** `0o17` belongs to YAML 1.2, but upstream's reader of 1.1 takes it, and so such texts need quotes. */
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
