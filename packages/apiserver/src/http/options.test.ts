import { describe, expect, it } from 'vitest';
import { parseListOptions, parseRequestTimeoutMs, parseTimeoutSeconds, parseWriteOptions } from './options.js';
import { Query } from './query.js';

const refused = [
  {
    name: 'an unknown dryRun directive',
    parse: () => parseWriteOptions(new Query('dryRun=Some'), 'CreateOptions'),
    text: 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
  },
  {
    name: 'apply without a field manager',
    parse: () => parseWriteOptions(new Query(''), 'PatchOptions', 'apply'),
    text: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  },
  {
    name: 'force with a merge patch',
    parse: () => parseWriteOptions(new Query('force=true'), 'PatchOptions', 'merge'),
    text: 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  },
  {
    name: 'a field manager of more than 128 bytes',
    parse: () => parseWriteOptions(new Query(`fieldManager=${'m'.repeat(129)}`), 'UpdateOptions'),
    text: 'UpdateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
  },
  {
    name: 'an unprintable field manager',
    parse: () => parseWriteOptions(new Query('fieldManager=a%0A'), 'UpdateOptions'),
    text: 'UpdateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\n": invalid character U+000A (at position 1)',
  },
  {
    name: 'an unknown field validation',
    parse: () => parseWriteOptions(new Query('fieldValidation=Loose'), 'CreateOptions'),
    text: 'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
  },
  {
    name: 'a limit that is not a number',
    parse: () => parseListOptions(new Query('limit=abc')),
    text: 'strconv.ParseInt: parsing "abc": invalid syntax',
  },
  {
    name: 'sendInitialEvents on a list',
    parse: () => parseListOptions(new Query('sendInitialEvents=true')),
    text: 'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
  },
  {
    name: 'a timeout without a unit',
    parse: () => parseRequestTimeoutMs(new Query('timeout=5'), 60_000),
    text: 'invalid timeout specified in the request URL - time: missing unit in duration "5"',
  },
  {
    name: 'a timeout that is not a duration',
    parse: () => parseRequestTimeoutMs(new Query('timeout=soon'), 60_000),
    text: 'invalid timeout specified in the request URL - time: invalid duration "soon"',
  },
];

describe('request options', () => {
  it.each(refused)('rejects $name', ({ parse, text }) => {
    expect(parse).toThrow(expect.objectContaining({ message: text }));
  });

  it('accepts repeated `dryRun=All&dryRun=All`', () => {
    expect(parseWriteOptions(new Query('dryRun=All&dryRun=All'), 'CreateOptions')).toEqual({ dryRun: true });
  });

  it('limits larger timeouts to the maximum', () => {
    expect(parseRequestTimeoutMs(new Query('timeout=1h30m'), 60_000)).toBe(60_000);
    expect(parseRequestTimeoutMs(new Query('timeout=1.5s'), 60_000)).toBe(1_500);
  });

  it('treats a negative limit as no limit', () => {
    expect(parseListOptions(new Query('limit=-1')).limit).toBeUndefined();
    expect(parseTimeoutSeconds(new Query('timeoutSeconds=0'))).toBe(0);
  });
});
