import type { KubeObject } from '@slipway/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../contract/index.js';
import { openMemoryStore } from '../../storage/index.js';
import { parseRequestInfo } from '../request-info.js';
import { PriorityLevels } from './priority-levels.js';

const group = 'flowcontrol.apiserver.k8s.io';
const anyResource = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
const jane = { username: 'jane', groups: ['system:authenticated'] };
const configMaps = parseRequestInfo('GET', '/api/v1/namespaces/a/configmaps');

let store: Store & { close(): Promise<void> };
let levels: PriorityLevels;

beforeEach(async () => {
  store = await openMemoryStore();
  levels = new PriorityLevels(store);
});

afterEach(async () => {
  levels.dispose();
  await store.close();
});

async function write(resource: string, name: string, spec: object): Promise<void> {
  const key = { resource: `${group}/${resource}`, namespace: '', name };
  const object = { apiVersion: `${group}/v1`, kind: 'X', metadata: { name, uid: `uid-${name}` }, spec } as KubeObject;
  await store.commit({ key, expected: store.get(key)?.revision ?? 0, object });
}

const writeLevel = (name: string, limited: object): Promise<void> =>
  write('prioritylevelconfigurations', name, { type: 'Limited', limited });

const writeSchema = (name: string, level: string, matchingPrecedence: number): Promise<void> =>
  write('flowschemas', name, {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ subjects: [{ kind: 'User', user: { name: 'jane' } }], resourceRules: [anyResource] }],
  });

const reject = { limitResponse: { type: 'Reject' }, borrowingLimitPercent: 0 };

describe('priority levels', () => {
  it('assigns no level without a stored FlowSchema', () => {
    expect(levels.assign(configMaps, jane)).toBeUndefined();
  });

  it('assigns the FlowSchema with the lowest precedence, then the first by name, whose level exists', async () => {
    await writeLevel('narrow', reject);
    await writeSchema('z', 'narrow', 500);
    await writeSchema('b', 'narrow', 400);
    await writeSchema('a', 'narrow', 400);
    await writeSchema('first', 'missing', 1);
    expect(levels.assign(configMaps, jane)).toMatchObject({
      schemaUid: 'uid-a',
      levelUid: 'uid-narrow',
      flow: 'a jane',
    });
  });

  it('prefers the default FlowSchemas of kube-apiserver to stored ones of higher precedence', async () => {
    await writeLevel('narrow', reject);
    await writeSchema('late', 'narrow', 9_950);
    expect(levels.assign(configMaps, jane)).toBeUndefined();
  });

  it('computes the seats of a level from its shares, and follows changes of the object', async () => {
    await writeLevel('narrow', { ...reject, nominalConcurrencyShares: 1 });
    await writeSchema('a', 'narrow', 400);
    const seats = (): number => {
      const pool = levels.assign(configMaps, jane)?.pool;
      const taken = [];
      for (let release = pool?.tryTake('f'); release !== undefined; release = pool?.tryTake('f')) taken.push(release);
      for (const release of taken) release();
      return taken.length;
    };
    // 600 seats, of which the default levels have 245 shares.
    expect(seats()).toBe(Math.ceil(600 / 246));
    await writeLevel('narrow', { ...reject, nominalConcurrencyShares: 245 });
    expect(seats()).toBe(300);
  });
});
