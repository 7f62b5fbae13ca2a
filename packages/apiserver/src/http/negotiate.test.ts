import { describe, expect, it } from 'vitest';
import { negotiate, type Negotiated } from './negotiate.js';

const kubectl =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

const accepted: { name: string; accept: string | undefined; views?: boolean; then: Partial<Negotiated> }[] = [
  { name: 'uses JSON without a header', accept: undefined, then: { encoding: 'json', view: 'object' } },
  { name: 'accepts any type', accept: '*/*', then: { encoding: 'json' } },
  { name: 'accepts any application type', accept: 'application/*', then: { encoding: 'json' } },
  { name: 'accepts YAML', accept: 'application/yaml', then: { encoding: 'yaml' } },
  { name: "accepts kubectl's table", accept: kubectl, then: { view: 'table', viewVersion: 'v1' } },
  { name: 'ignores as=Table where tables are not supported', accept: kubectl, views: false, then: { view: 'object' } },
  {
    name: 'uses the next clause after an unknown view',
    accept: 'application/json;as=Chart;v=v1;g=meta.k8s.io,application/yaml',
    then: { encoding: 'yaml' },
  },
  {
    name: 'uses JSON for typed Go clients of custom kinds',
    accept: 'application/vnd.kubernetes.protobuf,application/json',
    then: { encoding: 'json' },
  },
  {
    name: 'uses JSON for controller-runtime and custom kinds',
    accept: 'application/vnd.kubernetes.protobuf, */*',
    then: { encoding: 'json' },
  },
  {
    name: 'accepts a metadata watch',
    accept: 'application/json;stream=watch;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    then: { view: 'metadata' },
  },
  {
    name: 'prefers the first supported clause',
    accept: 'text/html,application/yaml,application/json',
    then: { encoding: 'yaml' },
  },
  {
    name: 'encodes metadata of custom resources in protobuf',
    accept: 'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
    then: { encoding: 'protobuf', view: 'metadata' },
  },
  {
    name: 'does not encode tables in protobuf',
    accept: 'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,application/json',
    then: { encoding: 'json', view: 'object' },
  },
  { name: 'prefers higher quality', accept: 'application/json;q=0.5,application/yaml', then: { encoding: 'yaml' } },
];

describe('content negotiation', () => {
  it.each(accepted)('$name', ({ accept, views, then }) => {
    expect(negotiate({ accept, views: views ?? true, custom: true, protobuf: false }, undefined, '')).toMatchObject(
      then,
    );
  });

  it.each(['application/vnd.kubernetes.protobuf,application/json', 'application/vnd.kubernetes.protobuf, */*'])(
    'uses protobuf for Go clients and built-in kinds: %s',
    (accept) => {
      const negotiated = negotiate({ accept, views: true, custom: false, protobuf: true }, undefined, '');
      expect(negotiated).toMatchObject({ encoding: 'protobuf', view: 'object' });
    },
  );

  it('rejects protobuf without an alternative for custom resources', () => {
    const options = { accept: 'application/vnd.kubernetes.protobuf', views: true, custom: true, protobuf: false };
    expect(() => negotiate(options, undefined, '')).toThrow('only the following media types are accepted');
  });

  it.each(['application/cbor', 'text/html', 'garbage', ';;;'])('rejects %s', (accept) => {
    const run = (custom: boolean) => () => negotiate({ accept, views: true, custom, protobuf: false }, undefined, '');
    expect(run(true)).toThrow('only the following media types are accepted: application/json, application/yaml');
    expect(run(false)).toThrow('406: Not Acceptable\n\nAvailable representations: application/json');
  });

  it.each([true, false])('rejects an unknown view behind the router of built-in kinds (custom: %s)', (custom) => {
    const accept = 'application/json;as=Table;v=v2;g=meta.k8s.io';
    const run = () => negotiate({ accept, views: true, custom, protobuf: false }, undefined, '');
    expect(run).toThrow('only the following media types are accepted');
  });

  it('lists the stream media types if the path can be watched', () => {
    const run = () =>
      negotiate({ accept: 'image/png', views: true, custom: false, protobuf: true, watchable: true }, undefined, '');
    expect(run).toThrow('application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch');
  });

  it.each([
    ['true', 'kubectl', true],
    ['0', 'curl/8', false],
    [undefined, 'curl/8.0', true],
    ['', 'kubectl', false],
    [undefined, 'Mozilla/5.0 (X11)', true],
  ])('decides pretty=%s for %s: %s', (pretty, userAgent, expected) => {
    expect(negotiate({ accept: undefined, views: true, custom: true, protobuf: false }, pretty, userAgent).pretty).toBe(
      expected,
    );
  });
});
