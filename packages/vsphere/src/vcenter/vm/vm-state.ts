import {
  type CallOptions,
  type Data,
  type Finder,
  isFault,
  type ObjectRef,
  parseReference,
  retrieveOne,
  type VimSession,
} from '../../vim25/index.js';
import { decodeOption, metadataKey } from '../guest/user-data.js';
import type { ObservedVm } from './vm-spec.js';

/** A virtual machine as vCenter shows it. */
export interface VmState {
  readonly ref: ObjectRef;
  readonly biosUuid: string;
  readonly hardwareVersion: string;
  readonly powerState: string;
  readonly devices: readonly Data<'VirtualDevice'>[];
  /** Decoded; empty before it is written. */
  readonly metadata: string;
  readonly nics: readonly Data<'GuestNicInfo'>[];
  readonly toolsRunning: boolean;
  readonly stateChangeSupported: boolean;
  readonly host?: ObjectRef;
}

const paths = [
  'config.uuid',
  'config.version',
  'config.hardware.device',
  'config.extraConfig',
  'runtime.powerState',
  'runtime.host',
  'guest.net',
  'guest.toolsRunningStatus',
  'guest.guestStateChangeSupported',
] as const;

/** Undefined when it is gone. */
async function readVm(session: VimSession, ref: ObjectRef, options: CallOptions): Promise<VmState | undefined> {
  try {
    const values = await retrieveOne(session.soap, ref, paths, options);
    return {
      ref,
      biosUuid: values['config.uuid'] ?? '',
      hardwareVersion: values['config.version'] ?? '',
      powerState: values['runtime.powerState'] ?? '',
      devices: values['config.hardware.device'] ?? [],
      metadata: decodeOption(values['config.extraConfig'] ?? [], metadataKey),
      nics: values['guest.net'] ?? [],
      toolsRunning: values['guest.toolsRunningStatus'] === 'guestToolsRunning',
      stateChangeSupported: values['guest.guestStateChangeSupported'] === true,
      host: values['runtime.host'],
    };
  } catch (error) {
    if (isFault(error, 'ManagedObjectNotFound')) return undefined;
    throw error;
  }
}

/**
 * The machine that belongs to a VSphereVM: the one with the BIOS UUID that was once recorded, or else the one whose instance
 * UUID is the uid of the object, which only we can have given it. A machine that merely has the name is somebody else's.
 */
export async function findVm(
  vm: ObservedVm,
  session: VimSession,
  finder: Finder,
  options: CallOptions,
): Promise<VmState | undefined> {
  const { biosUUID = '' } = vm.spec;
  const known = vm.status?.vmRef === undefined ? undefined : parseReference(vm.status.vmRef);
  if (biosUUID !== '' && known !== undefined) {
    // Also finds a machine that was moved to another datacenter. The reference alone is not enough: they are given anew.
    const state = await readVm(session, known, options);
    if (state?.biosUuid.toLowerCase() === biosUUID.toLowerCase()) return state;
  }
  const found =
    biosUUID === '' ? await finder.byUuid(vm.metadata.uid ?? '', 'instance') : await finder.byUuid(biosUUID, 'bios');
  return found === undefined ? undefined : readVm(session, found, options);
}
