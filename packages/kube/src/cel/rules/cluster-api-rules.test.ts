import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../../errors/index.js';
import type { JsonValue } from '../../json/index.js';
import type { Schema } from '../../schema/index.js';
import { checkRules } from './check-rules.js';
import { evaluateRules } from './evaluate-rules.js';

const text: Schema = { type: 'string', maxLength: 316 };
const flag: Schema = { type: 'boolean' };
const integer: Schema = { type: 'integer' };
const quantity: Schema = { 'x-kubernetes-int-or-string': true };

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties };
}

function list(items: Schema, maxItems = 100): Schema {
  return { type: 'array', maxItems, items };
}

interface Row {
  readonly rule: string;
  readonly schema: Schema;
  readonly good: JsonValue;
  readonly bad: JsonValue;
  /** The old value, for transition rules. It is the same for the valid and the invalid value. */
  readonly old?: JsonValue;
}

const arguments_: Schema = list(object({ name: text, value: text }));
const vpc = object({ createSubnetSet: flag });
const network = object({ provider: text, nsxVPC: vpc });
const service = object({ type: text, ipFamilies: list(text, 2), ipFamilyPolicy: text });
const vmxnet3 = object({ coalescingParams: text, coalescingScheme: text, ctxPerDev: text });

/** Every rule of the Cluster API, operator and vSphere kinds, with a valid and an invalid value. */
const rows: readonly Row[] = [
  {
    rule: '[has(self.oci), has(self.url), has(self.selector)].exists_one(x,x)',
    schema: object({ oci: text, url: text, selector: object({}) }),
    good: { url: 'a' },
    bad: { url: 'a', oci: 'b' },
  },
  {
    rule: '!(has(self.manifestPatches) && has(self.patches))',
    schema: object({ manifestPatches: list(text), patches: list(text) }),
    good: { patches: [] },
    bad: { patches: [], manifestPatches: [] },
  },
  {
    rule: 'has(self.createSubnetSet) == has(oldSelf.createSubnetSet) && self.createSubnetSet == oldSelf.createSubnetSet',
    schema: vpc,
    good: { createSubnetSet: true },
    bad: { createSubnetSet: false },
    old: { createSubnetSet: true },
  },
  {
    rule: 'has(self.nsxVPC) == has(oldSelf.nsxVPC)',
    schema: network,
    good: { nsxVPC: {} },
    bad: {},
    old: { nsxVPC: {} },
  },
  {
    rule: '!has(oldSelf.provider) || self.provider == oldSelf.provider',
    schema: network,
    good: { provider: 'a' },
    bad: { provider: 'b' },
    old: { provider: 'a' },
  },
  {
    rule: '!has(oldSelf.network) || has(self.network)',
    schema: object({ network }),
    good: { network: {} },
    bad: {},
    old: { network: {} },
  },
  {
    rule: "self.matches('^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$')",
    schema: { type: 'string', maxLength: 36 },
    good: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
    bad: 'Ext4',
  },
  {
    rule: 'self.all(x, self.exists_one(y, x == y))',
    schema: list(object({ a: integer }), 32),
    good: [{ a: 1 }, { a: 2 }],
    bad: [{ a: 1 }, { a: 1 }],
  },
  {
    rule: 'self.all(x, self.exists_one(y, x.name == y.name))',
    schema: arguments_,
    good: [{ name: 'a' }, { name: 'b' }],
    bad: [{ name: 'a' }, { name: 'a' }],
  },
  {
    rule: 'has(self.spec.policies) == has(oldSelf.spec.policies) && (!has(self.spec.policies) || self.spec.policies == oldSelf.spec.policies)',
    schema: object({ spec: object({ policies: list(text, 5) }) }),
    good: { spec: { policies: ['a'] } },
    bad: { spec: {} },
    old: { spec: { policies: ['a'] } },
  },
  {
    rule: "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
    schema: text,
    good: 'Other',
    bad: 'Ready',
  },
  {
    rule: '[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1',
    schema: object({ layout: flag, diskLayout: list(text) }),
    good: { layout: true },
    bad: {},
  },
  { rule: "type(self) != string || !self.endsWith('m')", schema: quantity, good: 4, bad: '4000m' },
  {
    rule: 'self.matches("^(LargeReceiveOffload|ReceiveSideScaling|[1-9][0-9]*)$")',
    schema: text,
    good: '12',
    bad: '012',
  },
  { rule: 'self.matches("^(PerDevice|PerVM|PerQueue|[1-9])$")', schema: text, good: 'PerVM', bad: '10' },
  {
    rule: "self == 'Disabled' || self == 'Adapt' || self == 'Static' || self == 'RateBasedCoalescing' || size(self) < 128",
    schema: text,
    good: 'Adapt',
    bad: 'x'.repeat(128),
  },
  {
    rule: '!has(self.coalescingParams) || size(self.coalescingParams) < 128',
    schema: vmxnet3,
    good: {},
    bad: { coalescingParams: 'x'.repeat(128) },
  },
  {
    rule: "!has(self.vmxnet3) || self.type == 'VMXNet3'",
    schema: object({ vmxnet3, type: text }),
    good: { vmxnet3: {}, type: 'VMXNet3' },
    bad: { vmxnet3: {}, type: 'SRIOV' },
  },
  {
    rule: "!has(self.ipamModes) || self.ipamModes.all(m, m == 'IPv4' || m == 'IPv6')",
    schema: object({ ipamModes: list(text, 2) }),
    good: { ipamModes: ['IPv4'] },
    bad: { ipamModes: ['x'] },
  },
  {
    rule: '!has(self.vnumaNodeCount) || self.vnumaNodeCount == 0 || (has(self.coresPerSocket) && self.coresPerSocket > 0)',
    schema: object({ vnumaNodeCount: integer, coresPerSocket: integer }),
    good: { vnumaNodeCount: 2, coresPerSocket: 1 },
    bad: { vnumaNodeCount: 2 },
  },
  {
    rule: "self.type != 'ExternalName' || ((!has(self.ipFamilies) || size(self.ipFamilies) == 0) && !has(self.ipFamilyPolicy))",
    schema: service,
    good: { type: 'ExternalName' },
    bad: { type: 'ExternalName', ipFamilies: ['IPv4'] },
  },
  {
    rule: '!has(self.ipFamilies) || size(self.ipFamilies) < 2 || self.ipFamilies[0] != self.ipFamilies[1]',
    schema: service,
    good: { ipFamilies: ['IPv4'] },
    bad: { ipFamilies: ['IPv4', 'IPv4'] },
  },
  {
    rule: "self.type == 'ExternalName' || !has(oldSelf.ipFamilies) || size(oldSelf.ipFamilies) == 0 || (has(self.ipFamilies) && size(self.ipFamilies) > 0 && self.ipFamilies[0] == oldSelf.ipFamilies[0])",
    schema: service,
    good: { type: 'ClusterIP', ipFamilies: ['IPv4', 'IPv6'] },
    bad: { type: 'ClusterIP', ipFamilies: ['IPv6'] },
    old: { type: 'ClusterIP', ipFamilies: ['IPv4'] },
  },
];

describe('CEL rules of the served kinds', () => {
  it.each(rows)('evaluates $rule', ({ rule, schema, good, bad, old }) => {
    const field: Schema = { ...schema, 'x-kubernetes-validations': [{ rule }] };
    const root = object({ field });
    const site = {
      schema: field,
      path: 'field',
      steps: [{ kind: 'property', parent: root }] as const,
      uncorrelatablePath: undefined,
    };
    expect(checkRules({ path: '', sites: [site] }).map(formatFieldError)).toEqual([]);
    const before = old === undefined ? undefined : { field: old };
    const errorCount = (value: JsonValue): number =>
      evaluateRules({ schema: root, value: { field: value }, old: before, path: '', isResource: true }).length;
    expect(errorCount(good)).toBe(0);
    expect(errorCount(bad)).toBe(1);
  });
});
