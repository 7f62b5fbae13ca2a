import {
  type CallOptions,
  type Data,
  type Finder,
  isFault,
  type ObjectRef,
  parseReference,
  type Properties,
  retrieveOne,
  type VimSession,
} from '../../vim25/index.js';
import { decodeOption, metadataKey } from '../guest/user-data.js';
import type { ObservedVm } from './vm-spec.js';

/** As much of a virtual machine as its end takes. */
export interface VmPower {
  readonly ref: ObjectRef;
  readonly biosUuid: string;
  readonly powerState: string;
  readonly toolsRunning: boolean;
  readonly stateChangeSupported: boolean;
}

/** A virtual machine as vCenter shows it. */
export interface VmState extends VmPower {
  readonly hardwareVersion: string;
  readonly devices: readonly Data<'VirtualDevice'>[];
  /** Decoded; empty before it is written. */
  readonly metadata: string;
  readonly nics: readonly Data<'GuestNicInfo'>[];
  readonly host?: ObjectRef;
}

const powerPaths = [
  'config.uuid',
  'runtime.powerState',
  'guest.toolsRunningStatus',
  'guest.guestStateChangeSupported',
] as const;
/** With the options comes all that the guest was told, which is long. */
const paths = [
  ...powerPaths,
  'config.version',
  'config.hardware.device',
  'config.extraConfig',
  'runtime.host',
  'guest.net',
] as const;

type Read<State> = (session: VimSession, ref: ObjectRef, options: CallOptions) => Promise<State>;

const readPower: Read<VmPower> = async (session, ref, options) =>
  powerOf(ref, await retrieveOne(session.soap, ref, powerPaths, options));

const readState: Read<VmState> = async (session, ref, options) => {
  const values = await retrieveOne(session.soap, ref, paths, options);
  return {
    ...powerOf(ref, values),
    hardwareVersion: values['config.version'] ?? '',
    devices: values['config.hardware.device'] ?? [],
    metadata: decodeOption(values['config.extraConfig'] ?? [], metadataKey),
    nics: values['guest.net'] ?? [],
    host: values['runtime.host'],
  };
};

function powerOf(ref: ObjectRef, values: Properties<(typeof powerPaths)[number]>): VmPower {
  return {
    ref,
    biosUuid: values['config.uuid'] ?? '',
    powerState: values['runtime.powerState'] ?? '',
    toolsRunning: values['guest.toolsRunningStatus'] === 'guestToolsRunning',
    stateChangeSupported: values['guest.guestStateChangeSupported'] === true,
  };
}

/** Whose machine is looked for, and how. */
export interface VmSearch {
  readonly vm: ObservedVm;
  readonly session: VimSession;
  readonly finder: Pick<Finder, 'byUuid'>;
  readonly options: CallOptions;
}

/**
 * The machine that belongs to a VSphereVM: the one with the BIOS UUID that was once recorded, or else the one whose instance
 * UUID is the uid of the object, which only we can have given it. A machine that merely has the name is somebody else's.
 */
export const findVm = (search: VmSearch): Promise<VmState | undefined> => find(search, readState);

/** The same, with no more than what is needed to remove it. */
export const findVmPower = (search: VmSearch): Promise<VmPower | undefined> => find(search, readPower);

async function find<State extends VmPower>(
  { vm, session, finder, options }: VmSearch,
  read: Read<State>,
): Promise<State | undefined> {
  const readIfThere = (ref: ObjectRef): Promise<State | undefined> =>
    read(session, ref, options).catch((error: unknown) => {
      if (isFault(error, 'ManagedObjectNotFound')) return undefined;
      throw error;
    });
  const { biosUUID = '' } = vm.spec;
  const known = vm.status?.vmRef === undefined ? undefined : parseReference(vm.status.vmRef);
  if (biosUUID !== '' && known !== undefined) {
    // Also finds a machine that was moved to another datacenter. The reference alone is not enough: they are given anew.
    const state = await readIfThere(known);
    if (state?.biosUuid.toLowerCase() === biosUUID.toLowerCase()) return state;
  }
  const found =
    biosUUID === '' ? await finder.byUuid(vm.metadata.uid ?? '', 'instance') : await finder.byUuid(biosUUID, 'bios');
  return found === undefined ? undefined : readIfThere(found);
}
