import { describe, expect, it } from 'vitest';
import { qemuArguments, type QemuMachine, SocketPathTooLong } from './command-line.js';

const machine: QemuMachine = {
  uuid: '1d3c7a52-0000-4000-8000-000000000001',
  name: 'one',
  cpus: 2,
  memoryMiB: 1024,
  accelerator: 'tcg',
  machineType: 'q35',
  cpuModel: undefined,
  firmware: undefined,
  kernel: undefined,
  disks: [],
  interfaces: [],
  shares: [],
  firmwareFiles: [],
  files: { pid: '/r/p', control: '/r/q', secondControl: '/r/q2', agent: '/r/a', console: '/s/c', log: '/s/l' },
};

/** Returns the values of a QEMU option, in order. */
function values(given: Partial<QemuMachine>, option: string): string[] {
  const args = qemuArguments({ ...machine, ...given });
  return args.flatMap((arg, index) => (arg === option ? [args[index + 1] ?? ''] : []));
}

describe('the arguments of QEMU', () => {
  it('are complete for a full configuration', () => {
    expect(qemuArguments(machine)).toMatchInlineSnapshot(`
      [
        "-name",
        "guest=one,debug-threads=on",
        "-uuid",
        "1d3c7a52-0000-4000-8000-000000000001",
        "-machine",
        "q35,usb=off,vmport=off,dump-guest-core=off,graphics=off",
        "-accel",
        "tcg,thread=multi",
        "-cpu",
        "max",
        "-smp",
        "2,sockets=1,cores=2,threads=1",
        "-m",
        "1024M",
        "-nodefaults",
        "-no-user-config",
        "-display",
        "none",
        "-vga",
        "none",
        "-rtc",
        "base=utc,driftfix=slew",
        "-boot",
        "strict=on",
        "-action",
        "reboot=reset,shutdown=poweroff,panic=pause,watchdog=reset",
        "-pidfile",
        "/r/p",
        "-D",
        "/s/l",
        "-msg",
        "timestamp=on,guest-name=on",
        "-chardev",
        "socket,id=qmp0,path=/r/q,server=on,wait=off",
        "-mon",
        "chardev=qmp0,mode=control",
        "-chardev",
        "socket,id=qmp1,path=/r/q2,server=on,wait=off",
        "-mon",
        "chardev=qmp1,mode=control",
        "-chardev",
        "file,id=con0,path=/s/c,append=on",
        "-serial",
        "chardev:con0",
        "-device",
        "virtio-serial-pci",
        "-chardev",
        "socket,id=agent0,path=/r/a,server=on,wait=off",
        "-device",
        "virtserialport,chardev=agent0,name=org.qemu.guest_agent.0",
        "-device",
        "virtio-rng-pci",
        "-device",
        "virtio-balloon-pci,id=balloon0,free-page-reporting=on",
        "-device",
        "i6300esb",
        "-device",
        "pvpanic",
        "-daemonize",
        "-S",
      ]
    `);
  });

  const rows: { name: string; given: Partial<QemuMachine>; option: string; then: string[] }[] = [
    {
      name: 'uses the host CPU with kvm',
      given: { accelerator: 'kvm' },
      option: '-cpu',
      then: ['host,pmu=off'],
    },
    { name: 'uses the max CPU with TCG', given: {}, option: '-cpu', then: ['max'] },
    { name: 'uses a given CPU model', given: { cpuModel: 'Haswell' }, option: '-cpu', then: ['Haswell'] },
    {
      name: 'doubles a comma in a path',
      given: { disks: [{ serial: 'rootfs', path: '/a,b', format: 'qcow2', bootIndex: 1 }] },
      option: '-blockdev',
      then: [
        'driver=file,node-name=rootfs-f,filename=/a,,b,aio=threads,cache.direct=off,discard=unmap',
        'driver=qcow2,node-name=rootfs,file=rootfs-f,discard=unmap',
      ],
    },
    {
      name: 'bypasses the host cache for etcd [kvm 20]',
      given: { disks: [{ serial: 'etcd', path: '/e', format: 'qcow2', durable: true }] },
      option: '-blockdev',
      then: [
        'driver=file,node-name=etcd-f,filename=/e,aio=threads,cache.direct=on,discard=unmap',
        'driver=qcow2,node-name=etcd,file=etcd-f,discard=unmap',
      ],
    },
    {
      name: 'attaches the seed read-only',
      given: { disks: [{ serial: 'cidata', path: '/i', format: 'raw', readOnly: true }] },
      option: '-blockdev',
      then: [
        'driver=file,node-name=cidata-f,filename=/i,read-only=on',
        'driver=raw,node-name=cidata,file=cidata-f,read-only=on',
      ],
    },
    {
      name: 'requests vhost only if it is available [kvm 25]',
      given: {
        interfaces: [
          { type: 'tap', name: 'kvm0', hasVhost: false, macAddress: '52:54:00:00:00:01' },
          { type: 'tap', name: 'kvm1', hasVhost: true, macAddress: '52:54:00:00:00:02' },
        ],
      },
      option: '-netdev',
      then: [
        'tap,id=net0,ifname=kvm0,script=no,downscript=no',
        'tap,id=net1,ifname=kvm1,script=no,downscript=no,vhost=on',
      ],
    },
    {
      name: 'connects an unprivileged machine to two networks',
      given: {
        interfaces: [
          {
            type: 'user',
            hostName: 'one',
            forwards: [{ guestPort: 6443, hostPort: 40001, isGiven: false }],
            macAddress: '52:54:00:00:00:01',
          },
          { type: 'multicast', group: '239.192.1.2', port: 20001, macAddress: '52:54:00:00:00:02' },
        ],
      },
      option: '-netdev',
      then: [
        'user,id=net0,net=10.0.2.0/24,dhcpstart=10.0.2.15,hostname=one,hostfwd=tcp:127.0.0.1:40001-:6443',
        'socket,id=net1,mcast=239.192.1.2:20001,localaddr=127.0.0.1',
      ],
    },
    {
      name: 'shares a host directory',
      given: { shares: [{ mountTag: 'data', path: '/d', readOnly: true }] },
      option: '-fsdev',
      then: ['local,id=fs0,path=/d,security_model=mapped-xattr,multidevs=remap,readonly=on'],
    },
    {
      name: 'passes Ignition through the firmware',
      given: { firmwareFiles: [{ name: 'opt/org.flatcar-linux/config', path: '/i' }] },
      option: '-fw_cfg',
      then: ['name=opt/org.flatcar-linux/config,file=/i'],
    },
  ];
  it.each(rows)('$name', ({ given, option, then }) => {
    expect(values(given, option)).toEqual(then);
  });

  it('rejects names that the kernel, QEMU or the guest would truncate [kvm 24]', () => {
    const control = `/${'x'.repeat(107)}`;
    expect(() => qemuArguments({ ...machine, files: { ...machine.files, control } })).toThrow(SocketPathTooLong);
    const disks = [{ serial: 'a-serial-with-21-byte', path: '/x', format: 'raw' as const }];
    expect(() => qemuArguments({ ...machine, disks })).toThrow('more than 20 characters');
  });
});
