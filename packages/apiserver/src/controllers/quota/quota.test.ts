import type { KubeObject } from '@slipway/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fields } from '../../kinds/shared/fields.js';
import { coreResources } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { createQuotaAdmission, QuotaLedger, startQuotaStatus } from './index.js';

let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  await plane.namespace('x');
  const ledger = plane.run(new QuotaLedger(plane));
  ledger.start();
  plane.admission.add(createQuotaAdmission(ledger));
  plane.run(startQuotaStatus(plane, ledger));
});

afterEach(() => plane.dispose());

async function quota(hard: Record<string, string>, spec: object = {}): Promise<void> {
  const metadata = { name: 'q', namespace: 'x' };
  await plane.client.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard, ...spec } });
  await plane.settle();
}

const used = () => fields(fields(plane.get('resourcequotas', 'x', 'q')?.['status'])['used']);

function pod(name: string, resources: object = {}, spec: object = {}): KubeObject {
  const containers = [{ name: 'c', image: 'i', resources }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'x' }, spec: { containers, ...spec } };
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
}

describe('object count quotas', () => {
  it('counts existing and new objects', async () => {
    await plane.configMap('x', 'one');
    await quota({ configmaps: '5', 'count/secrets': '5', 'count/widgets.example.com': '5' });
    await plane.configMap('x', 'two');
    await plane.settle();
    expect(used()).toEqual({ configmaps: '2', 'count/secrets': '0', 'count/widgets.example.com': '0' });
    await plane.client.delete(coreResources.configMaps, 'x', 'one');
    await plane.settle();
    expect(used()).toMatchObject({ configmaps: '1' });
  });

  it('counts custom resources of CRDs that are created later', async () => {
    await quota({ 'count/widgets.example.com': '1' });
    await plane.define('Widget');
    const widget = (name: string): KubeObject => ({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name, namespace: 'x' },
    });
    await plane.client.create(widget('one'));
    await plane.settle();
    expect(used()).toEqual({ 'count/widgets.example.com': '1' });
    expect(await refusal(plane.client.create(widget('two')))).toBe(
      'widgets.example.com "two" is forbidden: exceeded quota: q, requested: count/widgets.example.com=1, used: count/widgets.example.com=1, limited: count/widgets.example.com=1',
    );
  });

  it('reports requested, used and limited quantities on rejection', async () => {
    await quota({ configmaps: '1', 'count/configmaps': '9' });
    await plane.configMap('x', 'one');
    expect(await refusal(plane.configMap('x', 'two'))).toBe(
      'configmaps "two" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
    );
  });

  it('admits no more concurrent requests than the quota allows', async () => {
    await quota({ configmaps: '3' });
    const attempts = Array.from({ length: 10 }, (_unused, index) => refusal(plane.configMap('x', `c${index}`)));
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === '')).toHaveLength(3);
    await plane.settle();
    expect(used()).toEqual({ configmaps: '3' });
  });

  it('releases the reservation of an admitted write that failed', async () => {
    await quota({ configmaps: '2' });
    await plane.configMap('x', 'one');
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await refusal(plane.configMap('x', 'one'))).toBe('configmaps "one" already exists');
    expect(await refusal(plane.configMap('x', 'two'))).toBe('');
  });

  it('does not reserve quota for a dry run', async () => {
    await quota({ configmaps: '1' });
    const endpoint = plane.registry.endpoint('', 'v1', 'configmaps');
    const caller = {
      user: { username: 'u', groups: [] },
      userAgent: 'u',
      signal: new AbortController().signal,
      warn() {},
    };
    const value = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'dry' } };
    await endpoint?.create(caller, 'x', { value, duplicateKeys: [] }, { dryRun: true });
    expect(await refusal(plane.configMap('x', 'one'))).toBe('');
  });

  it('does not block updates when the quota is exhausted', async () => {
    await quota({ configmaps: '1' });
    await plane.configMap('x', 'one');
    await plane.client.patch(coreResources.configMaps, 'x', 'one', { data: { a: 'b' } });
    expect(fields(plane.get('configmaps', 'x', 'one')?.['data'])).toEqual({ a: 'b' });
  });
});

describe('pod quotas', () => {
  const some = { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } };

  it('adds up requests and limits', async () => {
    await quota({ 'requests.cpu': '2', memory: '4Gi', 'limits.cpu': '4', pods: '10' });
    await plane.client.create(pod('one', some));
    await plane.client.create(pod('two', some));
    await plane.settle();
    expect(used()).toEqual({ 'requests.cpu': '1', memory: '2Gi', 'limits.cpu': '2', pods: '2' });
  });

  it('rejects pods that exceed the quota', async () => {
    await quota({ 'requests.cpu': '700m', pods: '10' });
    await plane.client.create(pod('one', some));
    expect(await refusal(plane.client.create(pod('two', some)))).toBe(
      'pods "two" is forbidden: exceeded quota: q, requested: requests.cpu=500m, used: requests.cpu=500m, limited: requests.cpu=700m',
    );
  });

  it('requires every container to specify the limited resources', async () => {
    await quota({ 'requests.cpu': '2', 'limits.memory': '1Gi' });
    expect(await refusal(plane.client.create(pod('one')))).toBe(
      'pods "one" is forbidden: failed quota: q: must specify limits.memory for: c; requests.cpu for: c',
    );
  });

  it('does not count terminated pods', async () => {
    await quota({ pods: '1', 'count/pods': '5' });
    const created = await plane.client.create(pod('one'));
    await plane.client.update({ ...structuredClone(created), status: { phase: 'Succeeded' } } as never, 'status');
    await plane.settle();
    expect(used()).toEqual({ pods: '0', 'count/pods': '1' });
  });

  it('applies a quota with scopes to matching pods only', async () => {
    await quota({ pods: '1' }, { scopes: ['BestEffort'] });
    await plane.client.create(pod('bound', some));
    await plane.client.create(pod('free'));
    await plane.settle();
    expect(used()).toEqual({ pods: '1' });
    expect(await refusal(plane.client.create(pod('other')))).toContain('exceeded quota: q, requested: pods=1');
    expect(await refusal(plane.client.create(pod('other', some)))).toBe('');
  });
});

describe('quotas of other kinds', () => {
  it('counts storage requests, and services by type', async () => {
    await quota({
      'requests.storage': '10Gi',
      'fast.storageclass.storage.k8s.io/requests.storage': '5Gi',
      'services.nodeports': '5',
    });
    const claim = (name: string, storage: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'x' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage } } },
    });
    await plane.client.create(claim('one', '3Gi'));
    await plane.client.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's', namespace: 'x' },
      spec: {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
      },
    });
    await plane.settle();
    expect(used()).toEqual({
      'requests.storage': '3Gi',
      'fast.storageclass.storage.k8s.io/requests.storage': '3Gi',
      'services.nodeports': '2',
    });
    expect(await refusal(plane.client.create(claim('two', '3Gi')))).toContain(
      'requested: fast.storageclass.storage.k8s.io/requests.storage=3Gi, used: fast.storageclass.storage.k8s.io/requests.storage=3Gi, limited: fast.storageclass.storage.k8s.io/requests.storage=5Gi',
    );
  });
});
