import { access, constants, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError, readIfPresent, runCommand } from '@slipway/base';

export type Accelerator = 'kvm' | 'tcg';

export interface AcceleratorChoice {
  readonly accelerator: Accelerator;
  /** Reason why KVM is not used. */
  readonly why?: string;
}

/**
 * A boot sector that switches from real mode to long mode with paging, counts to a million, and writes 0x10 to the exit
 * device. `/dev/kvm` can exist, open and create virtual CPUs, and still fail to run it:
 *
 *     clear the page tables at 0x1000; PML4 -> 0x2000 -> 0x3000 -> one page of 2 MiB at 0
 *     CR4.PAE, CR3 = 0x1000, EFER.LME, GDT with one 64-bit code segment, CR0.PG and PE, far jump
 *     ECX = 1,000,000; count down; CPUID; out 0xf4, 0x10
 */
const probeProgram =
  'fa31c08ed88ec08ed0bc0070bf0010b90018fcf3ab66c70600100320000066c70600200330000066c7060030830000000f20e06683c8200f' +
  '22e066b8001000000f22d866b9800000c00f32660d000100000f30660f0116987c0f20c0660d010000800f22c066ea6d7c00000800b94042' +
  '0f00ffc975fc0fa266baf400b010eef4ebfd660f1f440000000000000000000000000000009a20000f00887c000000000000000000000000';
/** Exit code of QEMU after the guest writes 0x10 to the exit device. */
const probeExitCode = 33;
/** The firmware does not detect much smaller disks. */
const probeDiskBytes = 1024 ** 2;
const probeTimeoutMs = 10_000;

function probeDisk(): Buffer {
  const disk = Buffer.alloc(probeDiskBytes);
  Buffer.from(probeProgram, 'hex').copy(disk);
  disk.writeUInt16LE(0xaa55, 510);
  return disk;
}

export interface AcceleratorOptions {
  readonly program: string;
  /** Files of the cached result and of the probe guest. */
  readonly directory: string;
  readonly device?: string;
}

/** Selects KVM if a probe guest runs with it, otherwise TCG. The result is cached until the host reboots. */
export async function chooseAccelerator(options: AcceleratorOptions): Promise<AcceleratorChoice> {
  const { program, directory, device = '/dev/kvm' } = options;
  const file = join(directory, 'accelerator.json');
  const bootId = ((await readIfPresent('/proc/sys/kernel/random/boot_id')) ?? '').trim();
  const cached = parseAnswer(await readIfPresent(file));
  if (cached !== undefined && cached.bootId === bootId && cached.program === program) return cached.choice;
  const choice = await probe(program, directory, device);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify({ bootId, program, choice }));
  await rename(`${file}.new`, file);
  return choice;
}

interface Answer {
  readonly bootId: string;
  readonly program: string;
  readonly choice: AcceleratorChoice;
}

function parseAnswer(text: string | undefined): Answer | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Answer);
  } catch {
    // The file was truncated by a crash of the host: probe again.
    return undefined;
  }
}

async function probe(program: string, directory: string, device: string): Promise<AcceleratorChoice> {
  try {
    await access(device, constants.R_OK | constants.W_OK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { accelerator: 'tcg', why: isMissing ? `${device} does not exist` : `permission denied to open ${device}` };
  }
  const why = await runProbe(program, directory, 'kvm');
  return why === undefined ? { accelerator: 'kvm' } : { accelerator: 'tcg', why: `${device} exists, but ${why}` };
}

/** Returns undefined if the probe guest completed, otherwise the reason why it did not. */
async function runProbe(program: string, directory: string, accelerator: Accelerator): Promise<string | undefined> {
  await mkdir(directory, { recursive: true });
  const disk = join(directory, 'probe.img');
  await writeFile(disk, probeDisk());
  const args = [
    ['-machine', 'q35', '-accel', accelerator, '-cpu', 'max', '-m', '32M'],
    ['-nodefaults', '-no-user-config', '-display', 'none'],
    ['-drive', `if=virtio,format=raw,snapshot=on,file=${disk.replaceAll(',', ',,')}`],
    ['-device', 'isa-debug-exit,iobase=0xf4,iosize=1'],
  ].flat();
  try {
    await runCommand(program, args, { timeoutMs: probeTimeoutMs });
    return 'the probe guest exited early';
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.code === probeExitCode) return undefined;
    if (error.code === undefined) return 'the probe guest does not run: QEMU crashed, or the guest made no progress';
    return `QEMU cannot use it: ${error.output}`;
  } finally {
    await rm(disk, { force: true });
  }
}
