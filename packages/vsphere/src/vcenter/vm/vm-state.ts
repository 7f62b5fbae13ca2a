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

/** The properties of a virtual machine that its deletion requires. */
export interface VmPower {
  readonly ref: ObjectRef;
  readonly biosUuid: string;
  readonly powerState: string;
  readonly toolsRunning: boolean;
  readonly stateChangeSupported: boolean;
}

/** A virtual machine as vCenter reports it. */
export interface VmState extends VmPower {
  readonly hardwareVersion: string;
  readonly devices: readonly Data<'VirtualDevice'>[];
  /** Decoded metadata in extraConfig. Empty before it is written. */
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
/** All properties of a VM. Deletions do not read these, because extraConfig contains the bootstrap data, which is large. */
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

/** Parameters of the search for the VM of a VSphereVM. */
export interface VmSearch {
  readonly vm: ObservedVm;
  readonly session: VimSession;
  readonly finder: Pick<Finder, 'byUuid'>;
  readonly options: CallOptions;
}

/**
 * Finds the VM of a VSphereVM: the one with the recorded BIOS UUID, or else the one whose instance UUID is the UID of the
 * object. A VM that only has the same name is never adopted.
 */
export const findVm = (search: VmSearch): Promise<VmState | undefined> => find(search, readState);

/** Finds the VM with only the properties that its deletion requires. */
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
    // A lookup by reference also finds a VM that was moved to another datacenter. Its UUID is compared, because managed object
    // IDs are reused.
    const state = await readIfThere(known);
    if (state?.biosUuid.toLowerCase() === biosUUID.toLowerCase()) return state;
  }
  const found =
    biosUUID === '' ? await finder.byUuid(vm.metadata.uid ?? '', 'instance') : await finder.byUuid(biosUUID, 'bios');
  return found === undefined ? undefined : readIfThere(found);
}
