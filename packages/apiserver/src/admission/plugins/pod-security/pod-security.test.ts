import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import { refusalOf, TestServer } from '../../test-support.js';
import { levelOf, type Level, violationsOf } from './policy.js';

const compliant = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

function violations(level: Level, spec: object): string {
  return violationsOf({ level, version: 'latest' }, { spec: spec as Record<string, unknown>, annotations: {} });
}

function oneContainer(securityContext: object, container: object = {}, rest: object = {}): object {
  return { containers: [{ name: 'a', securityContext, ...container }], ...rest };
}

describe('Pod Security levels', () => {
  const rows: [Level, string, object, string][] = [
    ['privileged', 'allows everything', oneContainer({ privileged: true }), ''],
    ['baseline', 'allows an ordinary pod', oneContainer({}), ''],
    [
      'baseline',
      'forbids privileges',
      {
        containers: [
          { name: 'a', securityContext: { privileged: true } },
          { name: 'b', securityContext: { privileged: true } },
        ],
      },
      'privileged (containers "a", "b" must not set securityContext.privileged=true)',
    ],
    [
      'baseline',
      'forbids namespaces of the host',
      oneContainer({}, {}, { hostNetwork: true, hostPID: true }),
      'host namespaces (hostNetwork=true, hostPID=true)',
    ],
    [
      'baseline',
      'forbids paths of the host',
      oneContainer({}, {}, { volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
      'hostPath volumes (volume "v")',
    ],
    [
      'baseline',
      'forbids ports of the host',
      oneContainer({}, { ports: [{ containerPort: 1, hostPort: 80 }] }),
      'hostPort (container "a" uses hostPort 80)',
    ],
    [
      'baseline',
      'forbids capabilities',
      oneContainer({ capabilities: { add: ['NET_ADMIN', 'CHOWN', 'BPF'] } }),
      'non-default capabilities (container "a" must not include "BPF", "NET_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      'baseline',
      'forbids system settings',
      oneContainer({}, {}, { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
      'forbidden sysctl (kernel.msgmax)',
    ],
    [
      'baseline',
      'forbids doing without seccomp',
      oneContainer({ seccompProfile: { type: 'Unconfined' } }),
      'seccompProfile (container "a" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      'baseline',
      'forbids SELinux types',
      oneContainer({ seLinuxOptions: { type: 'spc_t', user: 'u' } }),
      'seLinuxOptions (container "a" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
    ],
    [
      'baseline',
      'forbids host processes',
      oneContainer({}, {}, { securityContext: { windowsOptions: { hostProcess: true } } }),
      'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
    ],
    ['restricted', 'allows a careful pod', oneContainer(compliant), ''],
    [
      'restricted',
      'wants care to be said',
      oneContainer({}),
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), ' +
        'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), ' +
        'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), ' +
        'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    [
      'restricted',
      'forbids what baseline does, first',
      oneContainer({ ...compliant, privileged: true, runAsUser: 0 }),
      'privileged (container "a" must not set securityContext.privileged=true), runAsUser=0 (container "a" must not set runAsUser=0)',
    ],
    [
      'restricted',
      'forbids kinds of volumes',
      oneContainer(compliant, {}, { volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
      'restricted volume types (volume "v" uses restricted volume type "hostPath")',
    ],
  ];
  it.each(rows)('%s %s', (level, _name, spec, expected) => {
    expect(violations(level, spec)).toBe(expected);
  });

  it.each([
    [{}, { level: 'privileged', version: 'latest' }],
    [{ 'pod-security.kubernetes.io/enforce': 'baseline' }, { level: 'baseline', version: 'latest' }],
    [
      { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/enforce-version': 'v1.30' },
      { level: 'baseline', version: 'v1.30' },
    ],
    [{ 'pod-security.kubernetes.io/enforce': 'nonsense' }, { level: 'restricted', version: 'latest' }],
  ])('reads the levels from %j', (labels, expected) => {
    expect(levelOf(labels, 'enforce')).toEqual(expected);
  });
});

describe('PodSecurity', () => {
  let server: TestServer;
  const namespace = (labels: object): object => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'safe', labels },
  });
  const pod = (name: string, securityContext: object): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'safe' },
    spec: { containers: [{ name: 'a', image: 'nginx', securityContext }] },
  });

  beforeAll(async () => {
    server = await TestServer.start();
    await server.create(
      namespace({
        'pod-security.kubernetes.io/enforce': 'baseline',
        'pod-security.kubernetes.io/warn': 'restricted',
      }),
    );
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'safe' } };
    await server.ensure(account);
  });
  beforeEach(() => {
    server.warnings.length = 0;
  });
  afterAll(() => server.stop());

  it('rejects pods that violate the enforced level', async () => {
    expect(await refusalOf(server.create(pod('bad', { privileged: true })))).toEqual({
      code: 403,
      reason: 'Forbidden',
      message:
        'pods "bad" is forbidden: violates PodSecurity "baseline:latest": privileged (container "a" must not set securityContext.privileged=true)',
    });
    expect(server.warnings).toEqual([]);
  });

  it('warns about pods that violate the warn level only', async () => {
    await server.create(pod('careless', {}));
    expect(server.warnings).toEqual([
      expect.stringMatching(/^would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false/),
    ]);
  });

  it('warns about workloads whose template violates the level and admits them', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: pod('x', { privileged: true })['spec'] };
    await server.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd', namespace: 'safe' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    });
    expect(server.warnings).toEqual([
      expect.stringMatching(/^would violate PodSecurity "restricted:latest": privileged \(/),
    ]);
  });

  it('validates namespace labels and warns about existing pods that violate a stricter level', async () => {
    const wrong = {
      ...namespace({ 'pod-security.kubernetes.io/enforce': 'none' }),
      metadata: { name: 'wrong', labels: { 'pod-security.kubernetes.io/enforce': 'none' } },
    };
    expect((await refusalOf(server.create(wrong)))?.message).toBe(
      'Namespace "wrong" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "none": must be one of privileged, baseline, restricted',
    );
    const current = await server.get(namespace({}));
    const labels = { ...current.metadata.labels, 'pod-security.kubernetes.io/enforce': 'restricted' };
    await server.update({ ...current, metadata: { ...current.metadata, labels } });
    expect(server.warnings).toEqual([
      'existing pods in namespace "safe" violate the new PodSecurity enforce level "restricted:latest"',
      'careless: allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
    ]);
  });
});
