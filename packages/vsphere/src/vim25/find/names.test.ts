import { describe, expect, it } from 'vitest';
import { AmbiguousInInventory, NotFoundInInventory } from '../errors.js';
import { addressText, parseServerAddress } from '../http/index.js';
import { namePattern } from './name-pattern.js';
import { parseReference } from './reference.js';
import { findSnapshot } from './snapshot.js';

describe('names', () => {
  it.each([
    ['*', 'anything', true],
    ['DC?', 'DC0', true],
    ['DC[0-3]', 'DC4', false],
    ['DC[!0]', 'DC1', true],
    ['a.b', 'axb', false],
    ['a/b', 'a%2fb', true],
    ['100%25', '100%', true],
    ['[', '[', true],
  ])('%s matches %s: %s', (pattern, name, expected) => {
    expect(namePattern(pattern)(name)).toBe(expected);
  });

  it.each([
    ['vm-42', 'VirtualMachine'],
    ['domain-c8', 'ClusterComputeResource'],
    ['domain-s8', 'ComputeResource'],
    ['group-v3', 'Folder'],
    ['group-p3', 'StoragePod'],
    ['resgroup-v1', 'VirtualApp'],
    ['Datastore:datastore-1', 'Datastore'],
    ['my-template', undefined],
    ['vm-template', undefined],
    ['/DC0/vm/vm-1', undefined],
  ])('%s is a reference to a %s', (text, type) => {
    expect(parseReference(text)?.type).toBe(type);
  });

  it('finds a snapshot by name, moid or path, and rejects several matches', () => {
    const snapshot = (value: string) => ({ type: 'VirtualMachineSnapshot', value });
    const info = {
      rootSnapshotList: [
        {
          snapshot: snapshot('s-1'),
          name: 'base',
          childSnapshotList: [
            { snapshot: snapshot('s-2'), name: 'v1' },
            { snapshot: snapshot('s-3'), name: 'twin' },
          ],
        },
        { snapshot: snapshot('s-4'), name: 'twin' },
      ],
    };
    expect(findSnapshot(info, 'v1').value).toBe('s-2');
    expect(findSnapshot(info, 's-3').value).toBe('s-3');
    expect(findSnapshot(info, 'base/twin').value).toBe('s-3');
    expect(() => findSnapshot(info, 'twin')).toThrow(AmbiguousInInventory);
    expect(() => findSnapshot(undefined, 'v1')).toThrow(NotFoundInInventory);
  });

  it.each([
    ['vc.local', 'https://vc.local:443/sdk'],
    ['vc.local:8443', 'https://vc.local:8443/sdk'],
    ['fd00::1', 'https://[fd00::1]:443/sdk'],
    ['[fd00::1]:8443', 'https://[fd00::1]:8443/sdk'],
    ['https://vc.local', 'https://vc.local:443/sdk'],
    ['http://127.0.0.1:8989/sdk', 'http://127.0.0.1:8989/sdk'],
  ])('the server %s is %s', (server, expected) => {
    expect(addressText(parseServerAddress(server))).toBe(expected);
  });

  it.each(['', 'ftp://vc', 'https://', 'https://user:hunter2@vc'])(
    'rejects the server %j without its credentials in the error',
    (server) => {
      expect(() => parseServerAddress(server)).toThrow(/server/);
      expect(() => parseServerAddress(server)).not.toThrow('hunter2');
    },
  );
});
