import type { Accelerator } from './accelerator.js';

export interface QemuDisk {
  /** At most 20 bytes: QEMU truncates longer serials, and the guest would not find the disk by name. */
  readonly serial: string;
  readonly path: string;
  readonly format: 'qcow2' | 'raw';
  readonly readOnly?: boolean;
  readonly bootIndex?: number;
  /** Whether to bypass the host cache, so that completed writes are durable. */
  readonly durable?: boolean;
}

export type QemuInterface = { readonly macAddress: string } & (
  | { readonly type: 'user'; readonly hostName: string; readonly forwards: readonly PortForward[] }
  | { readonly type: 'tap'; readonly name: string; readonly hasVhost: boolean }
  | { readonly type: 'multicast'; readonly group: string; readonly port: number }
);

export interface PortForward {
  readonly guestPort: number;
  readonly hostPort: number;
  /** Whether the user set the host port. Otherwise the controller chooses another port if this one is in use. */
  readonly isGiven: boolean;
}

interface QemuShare {
  readonly mountTag: string;
  readonly path: string;
  readonly readOnly: boolean;
}

/** Complete configuration of a virtual machine. QEMU's default devices and configuration files of the host do not apply. */
export interface QemuMachine {
  readonly uuid: string;
  readonly name: string;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly accelerator: Accelerator;
  readonly machineType: string;
  readonly cpuModel: string | undefined;
  readonly firmware: { readonly code: string; readonly variables: string } | undefined;
  readonly kernel:
    | { readonly path: string; readonly initrd: string | undefined; readonly commandLine: string }
    | undefined;
  readonly disks: readonly QemuDisk[];
  readonly interfaces: readonly QemuInterface[];
  readonly shares: readonly QemuShare[];
  /** Firmware configuration (fw_cfg) files for the guest, by name. */
  readonly firmwareFiles: readonly { readonly name: string; readonly path: string }[];
  readonly files: {
    readonly pid: string;
    readonly control: string;
    readonly secondControl: string;
    readonly agent: string;
    readonly console: string;
    readonly log: string;
  };
}

/** Limit of the kernel for Unix socket paths. */
const socketPathBytesMax = 107;

export class SocketPathTooLong extends Error {
  constructor(readonly path: string) {
    super(
      `the socket path ${path} has ${Buffer.byteLength(path)} bytes, more than the maximum of ${socketPathBytesMax}: choose a shorter directory`,
    );
    this.name = 'SocketPathTooLong';
  }
}

/** Returns the arguments of the QEMU process. It starts daemonized and paused; the caller resumes it with `cont`. */
export function qemuArguments(machine: QemuMachine): string[] {
  const { files } = machine;
  for (const path of [files.control, files.secondControl, files.agent])
    if (Buffer.byteLength(path) > socketPathBytesMax) throw new SocketPathTooLong(path);
  return [
    ['-name', `guest=${escaped(machine.name)},debug-threads=on`, '-uuid', machine.uuid],
    ['-machine', `${machine.machineType},usb=off,vmport=off,dump-guest-core=off,graphics=off`],
    processor(machine),
    ['-smp', `${machine.cpus},sockets=1,cores=${machine.cpus},threads=1`, '-m', `${machine.memoryMiB}M`],
    ['-nodefaults', '-no-user-config', '-display', 'none', '-vga', 'none'],
    ['-rtc', 'base=utc,driftfix=slew', '-boot', 'strict=on'],
    ['-action', 'reboot=reset,shutdown=poweroff,panic=pause,watchdog=reset'],
    ['-pidfile', files.pid, '-D', files.log, '-msg', 'timestamp=on,guest-name=on'],
    channels(machine),
    ['-device', 'virtio-rng-pci', '-device', 'virtio-balloon-pci,id=balloon0,free-page-reporting=on'],
    ['-device', 'i6300esb', '-device', 'pvpanic'],
    firmware(machine),
    machine.disks.flatMap(disk),
    machine.interfaces.flatMap(networkInterface),
    machine.shares.flatMap(share),
    machine.firmwareFiles.flatMap(({ name, path }) => ['-fw_cfg', `name=${name},file=${escaped(path)}`]),
    ['-daemonize', '-S'],
  ].flat();
}

function processor({ accelerator, cpuModel }: QemuMachine): string[] {
  return accelerator === 'kvm'
    ? ['-accel', 'kvm', '-cpu', cpuModel ?? 'host,pmu=off']
    : ['-accel', 'tcg,thread=multi', '-cpu', cpuModel ?? 'max'];
}

/**
 * Returns the options of two QMP sockets. A QMP socket serves one client at a time: the second one is for users, who would
 * otherwise block the controller.
 */
function channels({ files }: QemuMachine): string[] {
  const socket = (id: string, path: string): string[] => [
    '-chardev',
    `socket,id=${id},path=${escaped(path)},server=on,wait=off`,
  ];
  return [
    socket('qmp0', files.control),
    ['-mon', 'chardev=qmp0,mode=control'],
    socket('qmp1', files.secondControl),
    ['-mon', 'chardev=qmp1,mode=control'],
    ['-chardev', `file,id=con0,path=${escaped(files.console)},append=on`, '-serial', 'chardev:con0'],
    ['-device', 'virtio-serial-pci'],
    socket('agent0', files.agent),
    ['-device', 'virtserialport,chardev=agent0,name=org.qemu.guest_agent.0'],
  ].flat();
}

function firmware({ firmware: uefi, kernel }: QemuMachine): string[] {
  const args: string[] = [];
  if (uefi !== undefined)
    args.push(
      '-drive',
      `if=pflash,format=raw,unit=0,readonly=on,file=${escaped(uefi.code)}`,
      '-drive',
      `if=pflash,format=raw,unit=1,file=${escaped(uefi.variables)}`,
    );
  if (kernel !== undefined) {
    args.push('-kernel', kernel.path, '-append', kernel.commandLine);
    if (kernel.initrd !== undefined) args.push('-initrd', kernel.initrd);
  }
  return args;
}

const serialBytesMax = 20;

function disk({ serial, path, format, readOnly = false, bootIndex, durable = false }: QemuDisk): string[] {
  if (serial.length > serialBytesMax) throw new RangeError(`the serial ${serial} has more than 20 characters`);
  const access = readOnly ? 'read-only=on' : 'discard=unmap';
  const file = [
    `driver=file,node-name=${serial}-f,filename=${escaped(path)}`,
    ...(readOnly ? [] : ['aio=threads', `cache.direct=${durable ? 'on' : 'off'}`]),
    access,
  ];
  const boot = bootIndex === undefined ? '' : `,bootindex=${bootIndex}`;
  return [
    ['-blockdev', file.join(',')],
    ['-blockdev', `driver=${format},node-name=${serial},file=${serial}-f,${access}`],
    ['-device', `virtio-blk-pci,drive=${serial},id=disk-${serial},serial=${serial}${boot}`],
  ].flat();
}

function networkInterface(each: QemuInterface, index: number): string[] {
  const id = `net${index}`;
  return [
    ['-netdev', netdev(each, id)],
    ['-device', `virtio-net-pci,netdev=${id},id=nic${index},mac=${each.macAddress},romfile=`],
  ].flat();
}

function netdev(each: QemuInterface, id: string): string {
  switch (each.type) {
    case 'user': {
      const forwards = each.forwards.map(
        ({ hostPort, guestPort }) => `,hostfwd=tcp:127.0.0.1:${hostPort}-:${guestPort}`,
      );
      return `user,id=${id},net=10.0.2.0/24,dhcpstart=10.0.2.15,hostname=${escaped(each.hostName)}${forwards.join('')}`;
    }
    case 'tap':
      // QEMU exits if vhost is requested and the device does not exist.
      return `tap,id=${id},ifname=${each.name},script=no,downscript=no${each.hasVhost ? ',vhost=on' : ''}`;
    case 'multicast':
      return `socket,id=${id},mcast=${each.group}:${each.port},localaddr=127.0.0.1`;
  }
}

function share({ mountTag, path, readOnly }: QemuShare, index: number): string[] {
  const id = `fs${index}`;
  const access = readOnly ? ',readonly=on' : '';
  return [
    ['-fsdev', `local,id=${id},path=${escaped(path)},security_model=mapped-xattr,multidevs=remap${access}`],
    ['-device', `virtio-9p-pci,fsdev=${id},mount_tag=${mountTag}`],
  ].flat();
}

/** Escapes commas, which separate QEMU options. */
function escaped(value: string): string {
  return value.replaceAll(',', ',,');
}
