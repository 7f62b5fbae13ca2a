import { access } from 'node:fs/promises';
import { CommandError, runCommand } from '@slipway/base';
import { MachineProblem } from './errors.js';

export interface QemuPrograms {
  readonly system: string;
  readonly version: string;
}

const systemProgram = 'qemu-system-x86_64';
const remedy = 'install it (Debian: apt-get install qemu-system-x86 qemu-utils) and add it to PATH';

/** Returns the QEMU program and its version, or throws an error that names the missing program. */
export async function findQemu(): Promise<QemuPrograms> {
  try {
    await runCommand('qemu-img', ['--version']);
    const text = await runCommand(systemProgram, ['--version']);
    return { system: systemProgram, version: /version (\S+)/.exec(text)?.[1] ?? 'unknown' };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new MachineProblem('VMProvisioned', 'HostNotSupported', `${error.message}: ${remedy}`);
  }
}

/** UEFI firmware: its code, and the initial variables of each guest. */
export interface UefiFirmware {
  readonly code: string;
  readonly variables: string;
}

/** Firmware paths of common distributions. */
const firmwarePaths: readonly UefiFirmware[] = [
  { code: '/usr/share/OVMF/OVMF_CODE.fd', variables: '/usr/share/OVMF/OVMF_VARS.fd' },
  { code: '/usr/share/OVMF/OVMF_CODE_4M.fd', variables: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
  { code: '/usr/share/edk2/ovmf/OVMF_CODE.fd', variables: '/usr/share/edk2/ovmf/OVMF_VARS.fd' },
];

export async function findUefi(candidates = firmwarePaths): Promise<UefiFirmware> {
  for (const paths of candidates) {
    const isThere = await access(paths.code).then(
      () => true,
      () => false,
    );
    if (isThere) return paths;
  }
  throw new MachineProblem(
    'VMProvisioned',
    'HostNotSupported',
    'no UEFI firmware for guests found on this host: install it (Debian: apt-get install ovmf), or use firmware: bios',
  );
}
