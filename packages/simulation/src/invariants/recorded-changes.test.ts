import { type ChangeRecord, configMaps, leases } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import type { ExecutedWrite } from '../processes/process-client.js';
import { RecordedChanges } from './recorded-changes.js';

const process = 'manager-0-1';

function write(resource: ExecutedWrite['resource']): ExecutedWrite {
  const key = { namespace: 'simulated', name: 'a' };
  return { process, verb: 'create', resource, key, subresource: '', object: undefined, isChange: true };
}

function record(fields: Partial<ChangeRecord> = {}): ChangeRecord {
  return {
    time: 0,
    durationMs: 0,
    controller: 'cluster',
    object: { group: '', kind: 'ConfigMap', namespace: 'simulated', name: 'a' },
    verb: 'create',
    reason: 'Missing',
    message: 'Create the ConfigMap',
    fields: [],
    result: 'ok',
    dryRun: false,
    ...fields,
  };
}

describe('every write is a recorded change', () => {
  it('accepts one record for each write whose response arrived', () => {
    const changes = new RecordedChanges();
    changes.answered(write(configMaps));
    changes.recorded(process, record());
    expect(() => changes.check()).not.toThrow();
  });

  it('accepts a record of a write that changed nothing', () => {
    const changes = new RecordedChanges();
    changes.answered(write(configMaps));
    changes.recorded(process, record({ result: 'unchanged' }));
    expect(() => changes.check()).not.toThrow();
  });

  it('reports a write without a record, also when another process has a record of that kind', () => {
    const changes = new RecordedChanges();
    changes.answered(write(configMaps));
    changes.recorded('manager-1-2', record());
    expect(() => changes.check()).toThrow(
      'manager-0-1 ConfigMap: 1 writes without a record\nmanager-1-2 ConfigMap: 1 records too many',
    );
  });

  it('does not count failed records, calls, dry runs, records of other clusters, or Leases', () => {
    const changes = new RecordedChanges();
    changes.answered(write(leases));
    changes.recorded(process, record({ result: 'failed', error: 'the response was lost' }));
    changes.recorded(process, record({ verb: 'call', action: 'boot VM' }));
    changes.recorded(process, record({ dryRun: true }));
    changes.recorded(process, record({ cluster: 'simulated/c0' }));
    expect(() => changes.check()).not.toThrow();
  });

  it('reports a record without a reason', () => {
    expect(() => new RecordedChanges().recorded(process, record({ reason: '' }))).toThrow('with reason ""');
  });
});
