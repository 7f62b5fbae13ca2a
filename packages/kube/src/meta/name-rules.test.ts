import { describe, expect, it } from 'vitest';
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  nameIsDnsSubdomain,
} from './name-rules.js';

const long = (length: number): string => 'a'.repeat(length);
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const dns1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('name rules', () => {
  const rows: { rule: (value: string) => readonly string[]; value: string; problems: string[] }[] = [
    { rule: checkDns1123Subdomain, value: 'a.b-c.0', problems: [] },
    { rule: checkDns1123Subdomain, value: long(253), problems: [] },
    { rule: checkDns1123Subdomain, value: long(254), problems: ['must be no more than 253 characters'] },
    { rule: checkDns1123Subdomain, value: 'A', problems: [subdomain] },
    { rule: checkDns1123Subdomain, value: 'a\n', problems: [subdomain] },
    { rule: checkDns1123Subdomain, value: '', problems: [subdomain] },
    { rule: checkDns1123Label, value: 'a.b', problems: ['must not contain dots'] },
    { rule: checkDns1123Label, value: '-a', problems: [label] },
    { rule: checkDns1035Label, value: '1a', problems: [dns1035] },
    { rule: checkQualifiedName, value: 'example.com/My_Name.1', problems: [] },
    { rule: checkQualifiedName, value: '/a', problems: ['prefix part must be non-empty'] },
    { rule: checkQualifiedName, value: 'a/', problems: ['name part must be non-empty', `name part ${qualified}`] },
    { rule: checkQualifiedName, value: 'A/b', problems: [`prefix part ${subdomain}`] },
    {
      rule: checkQualifiedName,
      value: 'a/b/c',
      problems: [
        `a valid label key ${qualified} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    },
    { rule: checkQualifiedName, value: long(64), problems: ['name part must be no more than 63 bytes'] },
    { rule: checkLabelValue, value: '', problems: [] },
    { rule: checkLabelValue, value: long(64), problems: ['must be no more than 63 bytes'] },
    { rule: checkLabelValue, value: '-', problems: [labelValue] },
    { rule: checkPathSegment, value: 'system:node', problems: [] },
    { rule: checkPathSegment, value: '..', problems: ["may not be '..'"] },
    { rule: checkPathSegment, value: 'a/b%', problems: ["may not contain '/'", "may not contain '%'"] },
    { rule: (value) => nameIsDnsSubdomain(value, true), value: 'web-', problems: [] },
    { rule: (value) => nameIsDnsSubdomain(value), value: 'web-', problems: [subdomain] },
  ];
  it.each(rows)('validates $value with $rule.name', ({ rule, value, problems }) => {
    expect(rule(value)).toEqual(problems);
  });

  it('validates hostile names in linear time', () => {
    const started = process.cpuUsage();
    for (const rule of [checkDns1123Subdomain, checkQualifiedName, checkLabelValue, checkDns1123Label]) {
      rule(`${'a-'.repeat(1_000_000)}!`);
      rule(`${'a.'.repeat(1_000_000)}!`);
    }
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });
});
