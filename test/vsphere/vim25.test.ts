import { type Disposable, silentLogger, systemClock } from '@slipway/base';
import {
  AmbiguousInInventory,
  ClusterModules,
  Finder,
  findNetwork,
  isA,
  isFault,
  make,
  NotFoundInInventory,
  type ObjectRef,
  type ObjectState,
  readTask,
  RestError,
  retrieveOne,
  SessionPool,
  StoragePolicies,
  Tags,
  TaskFailed,
  taskRef,
  thumbprintsOf,
  VimConnectionError,
  type VimSession,
  waitForTask,
} from '@slipway/vsphere';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startVcsim, type Vcsim } from '../support/vcsim.js';

let vcsim: Vcsim;
let pool: SessionPool;
let session: VimSession;
const password = 'p&ss<w0rd>"\'';

beforeAll(async () => {
  vcsim = await startVcsim('-username', 'admin', '-password', password, '-nsx', '1', '-dc', '2', '-ds', '2');
  pool = new SessionPool({ clock: systemClock, logger: silentLogger });
  session = pool.get({ server: vcsim.server, username: 'admin', password });
});

afterAll(async () => {
  await pool.dispose();
  await vcsim.stop();
});

afterEach(() => vcsim.clearFaults());

const finder = (datacenter = 'DC0'): Finder => new Finder(session.soap, datacenter);

describe('a session', () => {
  it('logs in once for concurrent calls', async () => {
    const before = (await vcsim.calls())['Login'] ?? 0;
    const fresh = new SessionPool({ clock: systemClock, logger: silentLogger });
    const options = { server: vcsim.server, username: 'admin', password };
    const machine = await finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    await Promise.all(Array.from({ length: 20 }, () => retrieveOne(fresh.get(options).soap, machine, ['name'])));
    expect(fresh.size).toBe(1);
    expect((await vcsim.calls())['Login']).toBe(before + 1 + (before === 0 ? 1 : 0));
    await fresh.dispose();
    expect((await vcsim.calls())['Logout']).toBeGreaterThanOrEqual(1);
  });

  it('reports invalid credentials with the message of vCenter, limits retries, and never prints them', async () => {
    const fresh = new SessionPool({ clock: systemClock, logger: silentLogger });
    const wrong = fresh.get({ server: vcsim.server, username: 'admin', password: 'secret-wrong' });
    const before = (await vcsim.calls())['Login'] ?? 0;
    const errors: unknown[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      errors.push(
        await finderOf(wrong)
          .find('virtualMachine', 'x')
          .catch((error: unknown) => error),
      );
    }
    expect(errors.every((error) => isFault(error, 'InvalidLogin'))).toBe(true);
    expect(String(errors[0])).toContain('Login failure');
    expect(JSON.stringify(errors) + String(errors[0]) + ((errors[0] as Error).stack ?? '')).not.toContain(
      'secret-wrong',
    );
    expect((await vcsim.calls())['Login']).toBe(before + 1);
    await fresh.dispose();
  });

  it('replaces a SOAP session that vCenter dropped, and the REST session separately [vsphere 58]', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    await vcsim.fault({ method: 'FindByUuid', kind: 'NotAuthenticated', count: 1 });
    const before = (await vcsim.calls())['Login'] ?? 0;
    expect(await finder().byUuid('00000000-0000-0000-0000-000000000000', 'bios')).toBeUndefined();
    expect((await vcsim.calls())['Login']).toBe(before + 1);
    const modules = new ClusterModules(session.rest);
    await modules.list();
    await session.rest.logout();
    expect(await modules.list()).toEqual([]);
    expect((await vcsim.calls())['Login']).toBe(before + 1);
    expect((await retrieveOne(session.soap, machine, ['name'])).name).toBe('DC0_C0_RP0_VM0');
  });

  it('distinguishes an unreachable server from an untrusted one', async () => {
    const unreachable = pool.get({ server: '127.0.0.1:1', username: 'a', password: 'b' });
    const refused = await unreachable.soap.content().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(VimConnectionError);
    expect(refused).toMatchObject({ failure: 'unreachable' });
  });

  const [sha1, sha256] = ['SHA-1', 'SHA-256'];
  it.each([
    { name: `accepts the ${sha1} thumbprint`, trust: () => ({ thumbprint: thumbprintsOf(vcsim.certificate)[0] }) },
    { name: `accepts the ${sha256} thumbprint`, trust: () => ({ thumbprint: thumbprintsOf(vcsim.certificate)[1] }) },
    { name: 'accepts a CA bundle', trust: () => ({ caBundle: vcsim.certificate }) },
    { name: 'accepts anything without either', trust: () => ({}) },
  ])('$name', async ({ trust }) => {
    const fresh = new SessionPool({ clock: systemClock, logger: silentLogger });
    const trusting = fresh.get({ server: vcsim.server, username: 'admin', password, ...trust() });
    expect((await trusting.soap.content()).about.apiType).toBe('VirtualCenter');
    await fresh.dispose();
  });

  it('rejects another thumbprint and reports the actual one before it sends anything', async () => {
    const other = `00:${thumbprintsOf(vcsim.certificate)[0].slice(3)}`;
    const fresh = new SessionPool({ clock: systemClock, logger: silentLogger });
    const distrusting = fresh.get({ server: vcsim.server, username: 'u', password: 'p', thumbprint: other });
    const error = await distrusting.soap.content().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ failure: 'untrusted' });
    expect(String(error)).toContain(thumbprintsOf(vcsim.certificate)[1]);
    await fresh.dispose();
  });
});

function finderOf(of: VimSession): Finder {
  return new Finder(of.soap, 'DC0');
}

describe('the finder', () => {
  it.each([
    ['virtualMachine', 'DC0_C0_RP0_VM0'],
    ['virtualMachine', '/DC0/vm/DC0_C0_RP0_VM0'],
    ['virtualMachine', 'DC0/vm/DC0_C0_RP0_VM0'],
    ['virtualMachine', './DC0_C0_RP0_VM0'],
    ['virtualMachine', '/DC?/vm/DC0_C0_RP0_VM[0]'],
    ['folder', '/DC0/vm'],
    ['resourcePool', '/DC0/host/DC0_C0/Resources'],
    ['resourcePool', 'DC0_C0/Resources'],
    ['resourcePool', 'DC0_C?/Res*'],
    ['computeCluster', 'DC0_C0'],
    ['datastore', 'LocalDS_0'],
    ['datastore', '/DC0/datastore/LocalDS_0'],
    ['network', 'DC0_DVPG0'],
    ['network', 'VM Network'],
    ['host', 'DC0_C0_H0'],
  ] as const)('finds a %s as %s, and again by its reference and moid', async (kind, desired) => {
    const found = await finder().find(kind, desired);
    expect(await finder().find(kind, `${found.type}:${found.value}`)).toEqual(found);
    expect(await finder().find(kind, found.value)).toEqual(found);
  });

  it('has separate errors for no match and several matches', async () => {
    await expect(finder().find('virtualMachine', 'nobody')).rejects.toBeInstanceOf(NotFoundInInventory);
    await expect(finder().find('virtualMachine', '/DC0/vm/nobody')).rejects.toThrow(
      "virtual machine '/DC0/vm/nobody' not found",
    );
    await expect(finder().find('virtualMachine', 'vm-99999')).rejects.toBeInstanceOf(NotFoundInInventory);
    await expect(finder().find('virtualMachine', 'DC0_*')).rejects.toThrow("path 'DC0_*' resolves to multiple");
    await expect(finder().findDefault('resourcePool', '*/Resources')).rejects.toThrow(
      'default resource pool resolves to multiple instances, please specify',
    );
    await expect(finder('*').datacenter()).rejects.toBeInstanceOf(AmbiguousInInventory);
    await expect(finder('DC9').datacenter()).rejects.toBeInstanceOf(NotFoundInInventory);
  });

  it('finds machines by both UUIDs, only in its own datacenter', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const values = await retrieveOne(session.soap, machine, ['config.uuid', 'config.instanceUuid']);
    expect(await finder().byUuid(values['config.uuid'] ?? '', 'bios')).toEqual(machine);
    expect(await finder().byUuid(values['config.instanceUuid'] ?? '', 'instance')).toEqual(machine);
    expect(await finder().byUuid(values['config.uuid'] ?? '', 'instance')).toBeUndefined();
  });

  it('finds an NSX network by the identifier of its segment', async () => {
    const network = await finder().find('network', 'DC0_NSX0');
    const { summary } = await retrieveOne(session.soap, network, ['summary']);
    if (!isA(summary, 'OpaqueNetworkSummary')) throw new Error('no opaque network');
    const found = await findNetwork(session.soap, finder(), summary.opaqueNetworkId);
    // vCenter lists a segment twice: as an opaque network and as a port group that NSX created.
    expect(['OpaqueNetwork', 'DistributedVirtualPortgroup']).toContain(found.type);
    await expect(findNetwork(session.soap, finder(), 'no-such-segment')).rejects.toBeInstanceOf(NotFoundInInventory);
  });
});

describe('tasks', () => {
  const powerOff = (machine: ObjectRef): Promise<ObjectRef> => session.soap.call('PowerOffVM_Task', machine, {});

  it('complete by an event, with the result or the fault of vCenter', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_C0_RP0_VM1');
    await waitForTask(session.updates, await powerOff(machine));
    const again = await powerOff(machine);
    const error = await waitForTask(session.updates, again).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TaskFailed);
    expect(error).toMatchObject({ fault: 'InvalidPowerState', details: { existingState: 'poweredOff' } });
    expect(await readTask(session.soap, again)).toMatchObject({ state: 'error' });
    expect(await readTask(session.soap, taskRef('task-999999'))).toEqual({ state: 'gone' });
    await waitForTask(session.updates, await session.soap.call('PowerOnVM_Task', machine, {}));
  });

  it('are cancelled when the caller aborts', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_H0_VM0');
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(waitForTask(session.updates, machine, { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('share one property collector, which is removed afterwards [vsphere 56]', async () => {
    const machines = await Promise.all(
      ['DC0_H0_VM0', 'DC0_H0_VM1', 'DC0_C0_RP0_VM0', 'DC0_C0_RP0_VM1'].map((name) =>
        finder().find('virtualMachine', name),
      ),
    );
    const before = await vcsim.calls();
    await Promise.all(machines.map(async (machine) => waitForTask(session.updates, await powerOff(machine))));
    await Promise.all(
      machines.map(async (machine) =>
        waitForTask(session.updates, await session.soap.call('PowerOnVM_Task', machine, {})),
      ),
    );
    const after = await vcsim.calls();
    expect(after['CreatePropertyCollector']).toBe(before['CreatePropertyCollector']);
    expect(session.updates.size).toBe(0);
    await session.updates.dispose();
    const disposed = await vcsim.calls();
    expect(disposed['DestroyPropertyCollector']).toBe(disposed['CreatePropertyCollector']);
    expect(disposed['DestroyView']).toBe((disposed['CreateListView'] ?? 0) + (disposed['CreateContainerView'] ?? 0));
  });
});

describe('the update hub', () => {
  it('reports guest information and the deletion of a machine', async () => {
    const source = await finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const { parent: folder } = await retrieveOne(session.soap, source, ['parent']);
    const task = await session.soap.call('CloneVM_Task', source, {
      folder: folder as ObjectRef,
      name: 'watched',
      spec: { location: {}, template: false, powerOn: true },
    });
    const machine = (await waitForTask(session.updates, task)) as ObjectRef;
    const states: ObjectState[] = [];
    let wake = (): void => undefined;
    const watch = session.updates.watch(machine, (state) => {
      states.push(state);
      wake();
    });
    const until = async (done: (state: ObjectState) => boolean): Promise<void> => {
      while (!states.some(done)) await new Promise<void>((resolve) => (wake = resolve));
    };
    await until(({ values }) => values['runtime.powerState'] === 'poweredOn');
    await vcsim.guest({ vm: machine.value, addresses: [['10.1.2.3']] });
    await until(({ values }) => JSON.stringify(values['guest.net'] ?? []).includes('10.1.2.3'));
    await waitForTask(session.updates, await session.soap.call('PowerOffVM_Task', machine, {}));
    await session.soap.call('Destroy_Task', machine, {});
    await until(({ gone }) => gone);
    expect(states.at(-1)).toEqual({ ref: machine, values: {}, gone: true });
    await watch.dispose();
  });

  it('reports an object although adding it to the view failed once', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_H0_VM0');
    const later = await finder().find('virtualMachine', 'DC0_H0_VM1');
    const known = new Set<string>();
    let wake = (): void => undefined;
    const watch = (ref: ObjectRef): Disposable =>
      session.updates.watch(ref, () => {
        known.add(ref.value);
        wake();
      });
    const first = watch(machine);
    while (!known.has(machine.value)) await new Promise<void>((resolve) => (wake = resolve));
    await vcsim.fault({ method: 'ModifyListView', kind: 'NoPermission', count: 1 });
    const second = watch(later);
    while (!known.has(later.value)) await new Promise<void>((resolve) => (wake = resolve));
    expect(known).toEqual(new Set([machine.value, later.value]));
    await first.dispose();
    await second.dispose();
  });

  it('continues after vCenter dropped its session', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_H0_VM0');
    const fresh = new SessionPool({ clock: systemClock, logger: silentLogger });
    const own = fresh.get({
      server: vcsim.server,
      username: 'admin',
      password,
      caBundle: vcsim.certificate,
    });
    const seen = new Set<string>();
    let wake = (): void => undefined;
    own.updates.watch(machine, ({ values }) => {
      seen.add(String(values['runtime.powerState']));
      wake();
    });
    while (!seen.has('poweredOn')) await new Promise<void>((resolve) => (wake = resolve));
    await vcsim.fault({ method: 'WaitForUpdatesEx', kind: 'NotAuthenticated', count: 1 });
    seen.clear();
    await waitForTask(session.updates, await session.soap.call('PowerOffVM_Task', machine, {}));
    while (!seen.has('poweredOff')) await new Promise<void>((resolve) => (wake = resolve));
    await waitForTask(session.updates, await session.soap.call('PowerOnVM_Task', machine, {}));
    expect(seen).toContain('poweredOff');
    await fresh.dispose();
  });
});

describe('properties', () => {
  it('keep the type of devices and the precision of sizes', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const values = await retrieveOne(session.soap, machine, [
      'config.hardware.device',
      'config.extraConfig',
      'snapshot',
    ]);
    const devices = values['config.hardware.device'] ?? [];
    const disk = devices.find((device) => isA(device, 'VirtualDisk'));
    expect(isA(disk, 'VirtualDisk') && typeof disk.capacityInKB === 'bigint' && disk.capacityInKB > 0n).toBe(true);
    expect(isA(disk?.backing, 'VirtualDiskFlatVer2BackingInfo')).toBe(true);
    expect(devices.some((device) => isA(device, 'VirtualEthernetCard'))).toBe(true);
    expect(values.snapshot).toBeUndefined();
  });

  it('throw a fault in the list of missing properties [vsphere 55]', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const error = await retrieveOne(session.soap, machine, ['vmFolder']).catch((reason: unknown) => reason);
    expect(isFault(error, 'InvalidProperty')).toBe(true);
  });

  it('round-trip with markup in values, new devices and options', async () => {
    const machine = await finder().find('virtualMachine', 'DC0_H0_VM1');
    const text = 'a<b>&"c"\'\n\té🚢';
    const task = await session.soap.call('ReconfigVM_Task', machine, {
      spec: { extraConfig: [make('OptionValue', { key: 'guestinfo.test', value: text })], annotation: text },
    });
    await waitForTask(session.updates, task);
    const values = await retrieveOne(session.soap, machine, ['config.extraConfig']);
    expect(values['config.extraConfig']?.find(({ key }) => key === 'guestinfo.test')?.value).toBe(text);
  });
});

describe('the REST interface', () => {
  it('creates tags, attaches them and finds them by category name', async () => {
    const tags = new Tags(session.rest);
    const machine = await finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const category = await tags.createCategory('k8s-zone');
    const tag = await tags.createTag(category, 'zone-a');
    await tags.attach(machine, [tag]);
    expect(await tags.attachedTo(machine)).toEqual([tag]);
    expect((await tags.categoryNamed('k8s-zone'))?.id).toBe(category);
    expect((await tags.tagsOf(category)).map(({ name }) => name)).toEqual(['zone-a']);
    expect(await tags.categoryNamed('none')).toBeUndefined();
    await expect(tags.attach(machine, ['zone-a'])).rejects.toThrow('invalid tag ID');
    await expect(tags.tag('urn:vmomi:InventoryServiceTag:none:GLOBAL')).rejects.toBeInstanceOf(RestError);
  });

  it('manages cluster modules', async () => {
    const modules = new ClusterModules(session.rest);
    const cluster = await finder().find('computeCluster', 'DC0_C0');
    const machine = await finder().find('virtualMachine', 'DC0_C0_RP0_VM0');
    const module = await modules.create(cluster.value);
    await modules.add(module, [machine.value]);
    expect(await modules.members(module)).toEqual([machine.value]);
    await modules.remove(module, [machine.value]);
    expect(await modules.members(module)).toEqual([]);
    await modules.delete(module);
    expect(await modules.members(module)).toBeUndefined();
    await modules.remove(module, [machine.value]);
  });
});

describe('storage policies', () => {
  it('are found by name and checked against datastores', async () => {
    const policies = new StoragePolicies(session.soap);
    const datastore = await finder().find('datastore', 'LocalDS_0');
    const id = await policies.idOf('vSAN Default Storage Policy');
    expect(await policies.compatible(id, [datastore])).toEqual([datastore]);
    await expect(policies.idOf('none')).rejects.toThrow("storage policy 'none' not found");
  });
});
