import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VimFault, VimProtocolError } from '../errors.js';
import { dataTypes, fieldsOf, make, methods, parseFields } from '../schema/index.js';
import { readResponse, writeRequest } from './envelope.js';
import { readXml } from './read-xml.js';

const service = { namespace: 'urn:vim25' };
const machine = { type: 'VirtualMachine', value: 'vm-42' };

/** Returns the elements of a request in document order, as paths. */
function elementsOf(text: string): string[] {
  const paths: string[] = [];
  const visit = (element: ReturnType<typeof readXml>, parent: string): void => {
    const path = `${parent}/${element.name}${element.type === undefined ? '' : `(${element.type})`}`;
    paths.push(path);
    for (const child of element.children) visit(child, path);
  };
  const body = readXml(text).children.at(-1)?.children[0];
  for (const child of body?.children ?? []) visit(child, '');
  return paths;
}

/** The element order that vCenter requires. Written by hand, because the encoder must not be tested with its own table. */
const orders: Readonly<Record<string, string>> = {
  VirtualMachineCloneSpec: 'location template config powerOn snapshot memory',
  VirtualMachineRelocateSpec: 'folder datastore diskMoveType pool host disk deviceChange profile',
  VirtualMachineRelocateSpecDiskLocator: 'diskId datastore diskMoveType diskBackingInfo profile',
  VirtualMachineConfigSpec:
    'changeVersion name version uuid instanceUuid guestId annotation files flags numCPUs numCoresPerSocket memoryMB memoryHotAddEnabled cpuHotAddEnabled deviceChange cpuAllocation memoryAllocation extraConfig vAppConfigRemoved firmware memoryReservationLockedToMax nestedHVEnabled vmProfile crypto migrateEncryption ftEncryptionMode',
  ResourceAllocationInfo: 'reservation expandableReservation limit shares',
  VirtualDeviceConfigSpec: 'operation fileOperation device profile',
  VirtualDisk: 'key deviceInfo backing connectable controllerKey unitNumber capacityInKB capacityInBytes',
  VirtualVmxnet3: 'key deviceInfo backing connectable controllerKey unitNumber addressType macAddress wakeOnLanEnabled',
  VirtualDiskFlatVer2BackingInfo:
    'fileName datastore backingObjectId diskMode split writeThrough thinProvisioned eagerlyScrub uuid',
  VirtualPCIPassthroughDynamicBackingInfo: 'deviceName useAutoDetect allowedDevice customLabel',
  PropertyFilterSpec: 'propSet objectSet reportMissingObjectsInResults',
  TraversalSpec: 'name type path skip selectSet',
  ClusterGroupSpec: 'operation removeKey info',
  ClusterVmGroup: 'name userCreated uniqueID vm',
};

describe('the encoder', () => {
  it.each(Object.entries(orders))('keeps the elements of %s in order [vsphere B5]', (type, order) => {
    expect(fieldsOf(type).map(({ name }) => name)).toEqual(order.split(' '));
  });

  it.each([
    ['CloneVM_Task', 'folder name spec'],
    ['FindByUuid', 'datacenter uuid vmSearch instanceUuid'],
    ['ReconfigureComputeResource_Task', 'spec modify'],
    ['CreateFilter', 'spec partialUpdates'],
    ['PbmCheckRequirements', 'hubsToSearch placementSubjectRef placementSubjectRequirement'],
  ] as const)('keeps the parameters of %s in order [vsphere B5]', (method, order) => {
    expect(parseFields(methods[method].parameters).map(({ name }) => name)).toEqual(order.split(' '));
  });

  it('writes elements in table order irrespective of the keys, and names types that differ from the declared ones', () => {
    const text = writeRequest(service, 'ReconfigVM_Task', machine, {
      spec: {
        extraConfig: [{ value: 'x', key: 'guestinfo.metadata' }],
        deviceChange: [
          {
            device: make('VirtualVmxnet3', {
              macAddress: '00:50:56:00:00:01',
              addressType: 'manual',
              key: -100,
              backing: make('VirtualEthernetCardDistributedVirtualPortBackingInfo', {
                port: { portgroupKey: 'dvportgroup-1', switchUuid: 'u' },
              }),
            }),
            operation: 'add',
          },
        ],
        memoryMB: 2048n,
        numCPUs: 2,
        instanceUuid: 'i',
      },
    });
    const nic = '/spec/deviceChange/device(VirtualVmxnet3)';
    const port = `${nic}/backing(VirtualEthernetCardDistributedVirtualPortBackingInfo)`;
    expect(elementsOf(text)).toEqual([
      '/_this',
      '/spec',
      '/spec/instanceUuid',
      '/spec/numCPUs',
      '/spec/memoryMB',
      '/spec/deviceChange',
      '/spec/deviceChange/operation',
      nic,
      `${nic}/key`,
      port,
      `${port}/port`,
      `${port}/port/switchUuid`,
      `${port}/port/portgroupKey`,
      `${nic}/addressType`,
      `${nic}/macAddress`,
      '/spec/extraConfig',
      '/spec/extraConfig/key',
      '/spec/extraConfig/value(string)',
    ]);
  });

  it('keeps false and 0, and omits unset fields', () => {
    const text = writeRequest(service, 'ReconfigVM_Task', machine, {
      spec: { numCoresPerSocket: 0, nestedHVEnabled: false, memoryMB: undefined },
    });
    expect(elementsOf(text)).toEqual(['/_this', '/spec', '/spec/numCoresPerSocket', '/spec/nestedHVEnabled']);
  });

  it('rejects unknown fields, missing fields and other types', () => {
    const wrong = { spec: { numCPU: 2 } } as unknown as { spec: object };
    expect(() => writeRequest(service, 'ReconfigVM_Task', machine, wrong)).toThrow(
      'VirtualMachineConfigSpec has no field numCPU',
    );
    expect(() =>
      writeRequest(service, 'CloneVM_Task', machine, {
        folder: machine,
        spec: { location: {}, template: false, powerOn: false },
      } as never),
    ).toThrow('CloneVM_Task.name is required');
    expect(() =>
      writeRequest(service, 'ReconfigVM_Task', machine, { spec: { crypto: { _type: 'VirtualDisk' } } }),
    ).toThrow('VirtualDisk is not a CryptoSpec');
  });

  it('rejects control characters without the text in the error', () => {
    const write = (): string => writeRequest(service, 'Login', machine, { userName: 'u', password: 'secret\u0000' });
    expect(write).toThrow('Login.password contains a control character');
    expect(write).not.toThrow('secret');
  });
});

const envelope = (body: string): string =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;

describe('the decoder', () => {
  it.each(['xsi', '_XMLSchema-instance', 'x'])(
    'resolves the namespace of types under the prefix %s [vsphere E14]',
    (prefix) => {
      const declaration = `xmlns:${prefix}="http://www.w3.org/2001/XMLSchema-instance"`;
      const device = `<VirtualDevice ${declaration} ${prefix}:type="VirtualDisk"><key>2000</key><capacityInKB>9007199254740993</capacityInKB></VirtualDevice>`;
      const text = envelope(
        `<RetrievePropertiesExResponse xmlns="urn:vim25"><returnval><objects><obj type="VirtualMachine">vm-1</obj><propSet><name>config.hardware.device</name><val ${declaration} ${prefix}:type="ArrayOfVirtualDevice">${device}</val></propSet></objects></returnval></RetrievePropertiesExResponse>`,
      );
      expect(readResponse('RetrievePropertiesEx', text, 'x')?.objects?.[0]?.propSet?.[0]?.val).toEqual([
        { _type: 'VirtualDisk', key: 2000, capacityInKB: 9007199254740993n },
      ]);
    },
  );

  it('decodes a newer type as the declared one and keeps its name', () => {
    const text = envelope(
      '<RetrieveServiceContentResponse xmlns="urn:vim25"><returnval xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="ServiceContentNext"><rootFolder type="Folder">group-d1</rootFolder><propertyCollector type="PropertyCollector">pc</propertyCollector><about><version>9</version><apiType>VirtualCenter</apiType><apiVersion>9.0.0.0</apiVersion><news>x</news></about></returnval></RetrieveServiceContentResponse>',
    );
    expect(readResponse('RetrieveServiceContent', text, 'x')).toMatchObject({
      _type: 'ServiceContentNext',
      about: { version: '9' },
    });
  });

  it('throws a fault with the message of vCenter', () => {
    const text = envelope(
      '<s:Fault><faultcode>ServerFaultCode</faultcode><faultstring>Permission to perform this operation was denied.</faultstring><detail><NoPermissionFault xmlns="urn:vim25" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="NoPermission"><object type="Folder">group-v3</object><privilegeId>VirtualMachine.Inventory.Create</privilegeId></NoPermissionFault></detail></s:Fault>',
    );
    let caught: unknown;
    try {
      readResponse('CloneVM_Task', text, 'CloneVM_Task on VirtualMachine:vm-1');
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(VimFault);
    expect(String(caught)).toBe(
      'VimFault: CloneVM_Task on VirtualMachine:vm-1: Permission to perform this operation was denied. (NoPermission); the privilege VirtualMachine.Inventory.Create is missing',
    );
  });

  it.each([
    ['nothing', ''],
    ['text', 'Service Unavailable'],
    ['a page', '<html><body>503</body></html>'],
    ['a truncated response', envelope('').slice(0, 60)],
    ['entities', `<!DOCTYPE x [<!ENTITY a "b">]>${envelope('<x>&a;</x>')}`],
    ['depth', envelope('<a>'.repeat(5000) + '</a>'.repeat(5000))],
    ['another answer', envelope('<LoginResponse/>')],
    ['an empty response', envelope('<RetrieveServiceContentResponse/>')],
    [
      'an invalid number',
      envelope(
        '<RetrieveServiceContentResponse><returnval><rootFolder>x</rootFolder></returnval></RetrieveServiceContentResponse>',
      ),
    ],
  ])('rejects %s with a VimProtocolError', (_name, text) => {
    expect(() => readResponse('RetrieveServiceContent', text, 'x')).toThrow(VimProtocolError);
  });

  it('returns a result, a fault or a VimProtocolError for any input', () => {
    const whole = envelope(
      '<WaitForUpdatesExResponse xmlns="urn:vim25" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><returnval><version>1</version><filterSet><objectSet><kind>modify</kind><obj type="Task">task-1</obj><changeSet><name>info.error</name><op>assign</op><val i:type="LocalizedMethodFault"><fault i:type="InvalidPowerState"><requestedState>poweredOn</requestedState></fault><localizedMessage>m</localizedMessage></val></changeSet></objectSet></filterSet></returnval></WaitForUpdatesExResponse>',
    );
    const damage = fc.tuple(
      fc.nat(whole.length),
      fc.nat(40),
      fc.oneof(
        fc.string(),
        fc.constantFrom('<', '>', '&', '"', '<a>', '</Body>', 'i:type="ArrayOfArrayOfInt"', ' type=""', '__proto__'),
      ),
    );
    const outcomeOf = (text: string): unknown => {
      try {
        return readResponse('WaitForUpdatesEx', text, 'x');
      } catch (error) {
        return error;
      }
    };
    fc.assert(
      fc.property(damage, ([at, length, text]) => {
        const outcome = outcomeOf(whole.slice(0, at) + text + whole.slice(at + length));
        const known = outcome instanceof VimProtocolError || outcome instanceof VimFault;
        expect(outcome instanceof Error ? known || outcome : true).toBe(true);
      }),
    );
  });

  it('decodes the output of the encoder', () => {
    const names = Object.keys(dataTypes);
    expect(names.length).toBeGreaterThan(80);
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (text, long) => {
          fc.pre(!/[^\t\n\r\u0020-\ufffd]/.test(text) && Buffer.from(text).toString() === text && text !== '');
          const written = writeRequest(service, 'ReconfigVM_Task', machine, {
            spec: { annotation: text, cpuAllocation: { limit: long }, extraConfig: [{ key: 'k', value: text }] },
          });
          const spec = readXml(written).children[0]?.children[0]?.children[1];
          expect(spec?.children[0]?.text).toBe(text);
          expect(spec?.children[1]?.children[0]?.text).toBe(String(long));
          expect(spec?.children[2]?.children[1]?.text).toBe(text);
        },
      ),
    );
  });
});
