import { describe, expect, it } from 'vitest';
import { readApproverSettings } from './approver-settings.js';

describe('approver settings', () => {
  it('defaults to Machine API and to metrics on localhost', () => {
    expect(readApproverSettings({}, {})).toEqual({
      apis: [{ group: 'machine.openshift.io' }],
      machineNamespace: '',
      clientFlowDisabled: false,
      reportsStatus: true,
      concurrency: 1,
      metricsAddress: '127.0.0.1:9191',
      version: '',
    });
  });

  it.each([
    { name: 'a group', given: ['cluster.x-k8s.io'], then: [{ group: 'cluster.x-k8s.io' }] },
    {
      name: 'groups and versions',
      given: ['cluster.x-k8s.io/v1beta1', 'machine.openshift.io'],
      then: [{ group: 'cluster.x-k8s.io', version: 'v1beta1' }, { group: 'machine.openshift.io' }],
    },
  ])('accepts $name', ({ given, then }) => {
    expect(readApproverSettings({ apiGroupVersion: given }, {}).apis).toEqual(then);
  });

  it('accepts the deprecated flag of the API group', () => {
    expect(readApproverSettings({ apigroup: 'cluster.x-k8s.io' }, {}).apis).toEqual([{ group: 'cluster.x-k8s.io' }]);
  });

  it.each([
    { name: 'both flags', flags: { apigroup: 'cluster.x-k8s.io', apiGroupVersion: ['cluster.x-k8s.io'] }, env: {} },
    { name: 'an unsupported group', flags: { apiGroupVersion: ['example.com'] }, env: {} },
    { name: 'too many slashes', flags: { apiGroupVersion: ['cluster.x-k8s.io/v1/machines'] }, env: {} },
    { name: 'an empty version', flags: { apiGroupVersion: ['cluster.x-k8s.io/'] }, env: {} },
    { name: 'no port', flags: {}, env: { METRICS_PORT: 'nine' } },
    { name: 'an invalid port', flags: {}, env: { METRICS_PORT: '70000' } },
  ])('rejects $name', ({ flags, env }) => {
    expect(() => readApproverSettings(flags, env)).toThrow(
      /mutually exclusive|not supported|not an API group|not a port/,
    );
  });

  it.each([
    { name: 'sets disabled to true', config: 'nodeClientCert:\n  disabled: true\n', then: true },
    { name: 'sets disabled to false', config: 'nodeClientCert:\n  disabled: false\n', then: false },
    { name: 'is empty', config: '', then: false },
    { name: 'is not YAML', config: '{', then: false },
    { name: 'is missing', config: undefined, then: false },
  ])('disables approval of client certificates if the file $name: $then', ({ config, then }) => {
    expect(readApproverSettings({}, {}, config).clientFlowDisabled).toBe(then);
  });

  it.each([
    { env: { METRICS_PORT: '9193' }, then: ':9193' },
    { env: { METRICS_PORT: '9193', METRICS_BIND_ADDRESS: '127.0.0.1' }, then: '127.0.0.1:9193' },
    { env: { METRICS_BIND_ADDRESS: '::1' }, then: '[::1]:9191' },
  ])('serves metrics on $then', ({ env, then }) => {
    expect(readApproverSettings({}, env).metricsAddress).toBe(then);
  });
});
