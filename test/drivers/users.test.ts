import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { applyAccount, findPlaces, generatePassword, openSession, planAccount } from '@slipway/drivers';
import { ChangeExecutor, type Client } from '@slipway/runtime';
import { retrieveOne, SessionPool, type VimSession } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVcsim, type Vcsim } from '../support/vcsim.js';

const administrator = { username: 'administrator@vsphere.local', password: 'Adm1n!stration-only' };

describe('accounts with the least privileges', () => {
  let vcsim: Vcsim;
  let sessions: SessionPool;
  let session: VimSession;
  const { signal } = new AbortController();
  const open = (username: string, password: string): VimSession => {
    const [server = '', port = ''] = vcsim.server.split(':');
    return openSession(sessions, {
      server,
      port: Number(port),
      username,
      password,
      insecure: true,
      thumbprint: undefined,
      caBundle: undefined,
    });
  };
  beforeAll(async () => {
    vcsim = await startVcsim('-username', 'administrator', '-password', administrator.password);
    sessions = new SessionPool({ clock: systemClock, logger: silentLogger });
    session = open(administrator.username, administrator.password);
  });
  afterAll(async () => {
    await sessions.dispose();
    await vcsim.stop();
  });

  it('creates exactly the required roles, and keeps the permissions of other accounts [drivers 12, drivers 13]', async () => {
    const wishes = { datacenters: ['DC0'], datastores: ['LocalDS_0'], clusters: ['DC0_C0'], folders: [] };
    const places = await findPlaces(session, wishes, signal);
    const plan = planAccount({ driver: 'csi', fileVolumes: true, roleSuffix: '' }, places.all);
    const { authorizationManager: manager, rootFolder } = await session.soap.content();
    if (manager === undefined) throw new Error('no authorization manager');
    const before = await session.soap.call('RetrieveEntityPermissions', manager, {
      entity: rootFolder,
      inherited: false,
    });
    const output: string[] = [];
    const writer = new ChangeExecutor({ client: {} as Client, clock: systemClock, controller: 'test' });
    const options = {
      user: 'vdo-csi@vsphere.local',
      key: { namespace: 'kube-system', name: 'vdo-csi' },
      updateRoles: false,
      signal,
      say: (text: string) => output.push(text),
    };
    await applyAccount(session, plan, places, writer, options);
    const { roleList = [] } = await retrieveOne(session.soap, manager, ['roleList']);
    const made = Object.fromEntries(
      roleList
        .filter(({ name }) => name.startsWith('CNS-'))
        .map(({ name, privilege = [] }) => [name, privilege.filter((id) => !id.startsWith('System.')).sort()]),
    );
    expect(made).toEqual({
      'CNS-SEARCH-AND-SPBM': ['Cns.Searchable', 'StorageProfile.View'],
      'CNS-DATASTORE': ['Datastore.FileManagement'],
      'CNS-VM': ['VirtualMachine.Config.AddExistingDisk', 'VirtualMachine.Config.AddRemoveDevice'],
      'CNS-HOST-CONFIG-STORAGE': ['Host.Config.Storage'],
    });
    const after = await session.soap.call('RetrieveEntityPermissions', manager, {
      entity: rootFolder,
      inherited: false,
    });
    expect(after).toHaveLength(before.length + 1);
    const nameOf = (id: number): string => roleList.find(({ roleId }) => roleId === id)?.name ?? '';
    expect(
      after
        .filter(({ principal }) => principal === 'VSPHERE.LOCAL\\vdo-csi')
        .map(({ roleId, propagate }) => [nameOf(roleId), propagate]),
    ).toEqual([['CNS-SEARCH-AND-SPBM', false]]);
    output.length = 0;
    await applyAccount(session, plan, places, writer, options);
    expect(output).toEqual([]);
  });

  it('creates an account that can log in, and recognizes an existing one', async () => {
    const password = generatePassword(systemRandom);
    expect(await session.sso.hasPerson('vdo-new')).toBe(false);
    await session.sso.createPerson('vdo-new', password, 'vSphere drivers');
    expect(await session.sso.hasPerson('vdo-new')).toBe(true);
    await expect(session.sso.createPerson('vdo-new', password, '')).rejects.toThrow('CreateLocalPersonUser');
    await open('vdo-new@vsphere.local', password).soap.login();
  });
});
