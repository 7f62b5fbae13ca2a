import { describe, expect, it } from 'vitest';
import { builtinDefinitions } from './definitions.js';

const definitions = builtinDefinitions();
const find = (group: string, plural: string) => definitions.find((one) => one.group === group && one.plural === plural);

describe('built-in definitions', () => {
  it('lists resources in discovery order', () => {
    expect([...new Set(definitions.map(({ group }) => group))]).toEqual([
      '',
      'apiregistration.k8s.io',
      'apps',
      'events.k8s.io',
      'autoscaling',
      'batch',
      'certificates.k8s.io',
      'networking.k8s.io',
      'policy',
      'rbac.authorization.k8s.io',
      'storage.k8s.io',
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'scheduling.k8s.io',
      'coordination.k8s.io',
      'node.k8s.io',
      'discovery.k8s.io',
      'flowcontrol.apiserver.k8s.io',
    ]);
  });

  it('has unique names', () => {
    const names = definitions.map(({ group, plural }) => `${group}/${plural}`);
    expect(new Set(names).size).toBe(names.length);
  });

  // Earlier versions of the program cannot read built-in objects in another API version. If this list changes, increase the
  // storage format in data-version.ts, so that they refuse the data.
  it('stores objects in v1, except Events of events.k8s.io and HorizontalPodAutoscalers', () => {
    const others = definitions.filter(({ storageVersion }) => storageVersion !== 'v1');
    expect(others.map(({ group, plural, storageVersion }) => `${group}/${plural} ${storageVersion}`)).toEqual([
      'events.k8s.io/events core/v1',
      'autoscaling/horizontalpodautoscalers v2',
    ]);
  });

  it.each(definitions)('has a schema, a table and a column for each cell of $group $kind', (definition) => {
    for (const version of definition.versions) {
      expect(version.schema.properties).toHaveProperty('metadata');
      const object = { apiVersion: 'v1', kind: definition.kind, metadata: { name: 'a' } };
      expect(version.table.cells(object, 0)).toHaveLength(version.table.columns.length);
    }
  });

  it.each([
    ['', 'configmaps', ['cm'], []],
    ['', 'pods', ['po'], ['all']],
    ['', 'services', ['svc'], ['all']],
    ['', 'persistentvolumeclaims', ['pvc'], []],
    ['apps', 'deployments', ['deploy'], ['all']],
    ['apps', 'statefulsets', ['sts'], ['all']],
    ['batch', 'cronjobs', ['cj'], ['all']],
    ['apiextensions.k8s.io', 'customresourcedefinitions', ['crd', 'crds'], ['api-extensions']],
    ['certificates.k8s.io', 'certificatesigningrequests', ['csr'], []],
    ['networking.k8s.io', 'networkpolicies', ['netpol'], []],
  ])('has the short names of %s/%s', (group, plural, shortNames, categories) => {
    expect(find(group, plural)).toMatchObject({ shortNames, categories });
  });

  it('accepts PUT without resourceVersion for a ConfigMap, not for a Lease, a CRD or a webhook configuration', () => {
    expect(find('', 'configmaps')?.unconditionalUpdate).toBe(true);
    expect(find('coordination.k8s.io', 'leases')?.unconditionalUpdate).toBe(false);
    expect(find('apiextensions.k8s.io', 'customresourcedefinitions')?.unconditionalUpdate).toBe(false);
    expect(find('admissionregistration.k8s.io', 'mutatingwebhookconfigurations')?.unconditionalUpdate).toBe(false);
  });

  it('creates on update: leases, endpoints, events, limitranges, roles and bindings, services, runtime classes', () => {
    const plurals = definitions.filter(({ createOnUpdate }) => createOnUpdate).map(({ plural }) => plural);
    expect(plurals.sort()).toEqual([
      'clusterrolebindings',
      'clusterroles',
      'endpoints',
      'events',
      'events',
      'leases',
      'limitranges',
      'rolebindings',
      'roles',
      'runtimeclasses',
      'services',
    ]);
  });

  it('does not support deletecollection for namespaces', () => {
    expect(find('', 'namespaces')?.verbs).not.toContain('deletecollection');
  });

  it('starts quickly: schemas are built on demand', () => {
    const versions = builtinDefinitions().flatMap((definition) => definition.versions);
    const built = versions.filter((version) => Object.getOwnPropertyDescriptor(version, 'schema')?.get === undefined);
    expect(versions).not.toEqual([]);
    expect(built).toEqual([]);
  });
});

describe('certificate signing requests', () => {
  it('uses the given strategies for the object, its status and its approval', () => {
    const main = { validateName: () => [] };
    const approval = {};
    const csr = builtinDefinitions({ certificates: { main, approval } }).find(
      ({ kind }) => kind === 'CertificateSigningRequest',
    );
    expect(
      csr?.subresources.map(({ name, part, verbs }) => ({ name, own: part === main || part === approval, verbs })),
    ).toEqual([
      { name: 'approval', own: true, verbs: ['get', 'patch', 'update'] },
      { name: 'status', own: true, verbs: ['get', 'patch', 'update'] },
    ]);
  });
});
