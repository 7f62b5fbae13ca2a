import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock, Disposable } from '@slipway/base';
import {
  confirmWanted,
  type ControllerContext,
  durationMetric,
  keyOf,
  type ReconcileContext,
  type SampledMetric,
  type Trigger,
  wait,
} from '@slipway/runtime';
import { kvmConditions, kvmMachines, kvmReasons } from '../api/index.js';
import type {
  DeletingMachine,
  VirtualMachineService,
  VmRemoval,
  VmReport,
  DesiredMachine,
} from '../machine/vm-service.js';
import { MachineProblem } from './errors.js';
import { imageCacheBytes, ImageStore } from './images/index.js';
import { type Layout, machineFiles } from './layout.js';
import type { LocalScope } from './local-scope.js';
import { readRecord, writeRecord } from './machine-record.js';
import { prepareMachine } from './prepare-machine.js';
import { removeMachine } from './remove-machine.js';
import type { UefiFirmware } from './requirements.js';
import { fails, problemReport } from './report.js';
import { runMachine } from './run-machine.js';
import { Sessions } from './sessions.js';

export interface LocalServiceOptions extends Layout {
  readonly clock: Clock;
  /** Candidate paths of UEFI firmware. Defaults to the paths that common distributions use. */
  readonly firmware?: readonly UefiFirmware[];
  /** Directories whose files may be used as images, by path or `file:` URL. Default: all directories. */
  readonly imageDirectories?: readonly string[];
}

/**
 * Backend that runs virtual machines as processes of this host. They outlive Slipway, and its next process finds them by their
 * UUID.
 */
export class LocalService implements VirtualMachineService, Disposable {
  readonly backend = 'local';
  readonly hostName = hostname();
  readonly #layout: Layout;
  readonly #images: ImageStore;
  readonly #sessions: Sessions;
  readonly #clock: Clock;
  readonly #firmware: readonly UefiFirmware[] | undefined;

  constructor(options: LocalServiceOptions) {
    this.#layout = options;
    this.#clock = options.clock;
    this.#firmware = options.firmware;
    this.#images = new ImageStore(join(options.stateDirectory, 'images'), options.imageDirectories);
    this.#sessions = new Sessions(options.clock);
  }

  triggers(): readonly Trigger[] {
    return [this.#sessions.trigger];
  }

  metrics(): readonly SampledMetric[] {
    const bytes = (): number => imageCacheBytes(this.#layout.stateDirectory);
    return [
      {
        name: 'capk_image_cache_bytes',
        help: 'Size of the images in the image store of this host',
        type: 'gauge',
        labelNames: [],
        sample: () => [{ labels: {}, value: bytes() }],
      },
    ];
  }

  measure(registry: ControllerContext['metrics']): void {
    const observe = durationMetric(registry, {
      name: 'capk_qmp_seconds',
      help: 'Response time of the QEMU processes of this host, by QMP command',
      labelNames: ['command'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2.5, 5],
    });
    this.#sessions.onAnswer = (command, seconds) => observe({ command }, seconds);
  }

  async ensure(desired: DesiredMachine, context: ReconcileContext): Promise<VmReport> {
    const files = machineFiles(this.#layout, desired.uuid);
    const key = keyOf(desired.kvmMachine);
    const scope = this.#scope(context, desired.kvmMachine);
    try {
      let record = await readRecord(files);
      if (record === undefined) {
        if (desired.wasProvisioned) return lost(files.directory);
        await confirmWanted(context, kvmMachines, desired.kvmMachine);
        const prepared = await prepareMachine(desired, files, {
          layout: this.#layout,
          images: this.#images,
          firmware: this.#firmware,
          onImage: () => this.#sessions.recordEvent(key),
          perform: scope.perform,
        });
        if ('message' in prepared) return downloading(prepared.message);
        record = prepared;
      }
      // After a move to another management cluster, the same machine belongs to another object.
      if (record.key.name !== key.name || record.key.namespace !== key.namespace) {
        const moved = { ...record, key };
        await scope.perform({
          action: 'record owner',
          reason: 'Moved',
          message: `Recorded KVMMachine ${key.name} as the owner of the virtual machine`,
          run: () => writeRecord(files, moved),
        });
        record = moved;
      }
      return await runMachine(desired, files, record, scope);
    } catch (error) {
      if (error instanceof MachineProblem) return problemReport(error);
      throw error;
    }
  }

  remove(deleting: DeletingMachine, context: ReconcileContext): Promise<VmRemoval | undefined> {
    const files = machineFiles(this.#layout, deleting.uuid);
    return removeMachine(deleting, files, this.#scope(context, deleting.kvmMachine));
  }

  dispose(): void {
    this.#sessions.dispose();
  }

  #scope(context: ReconcileContext, kvmMachine: DesiredMachine['kvmMachine']): LocalScope {
    return {
      sessions: this.#sessions,
      clock: this.#clock,
      perform: (effect) => context.change({ verb: 'call', resource: kvmMachines, key: keyOf(kvmMachine), ...effect }),
      recordEvent: (type, reason, message) => context.events.record(kvmMachine, { type, reason, message }),
    };
  }
}

function downloading(message: string): VmReport {
  const reason = kvmReasons.imageDownloading;
  return {
    state: 'pending',
    conditions: [fails(kvmConditions.imageReady, reason, message)],
    addresses: [],
    outcome: wait({ reason, message }),
  };
}

/** Reports a lost machine. It is not re-created: its bootstrap data has been used and its etcd member is gone. */
function lost(directory: string): VmReport {
  const reason = kvmReasons.disksLost;
  const message = `the disks of the machine were removed from ${directory}: replace the Machine, manually or with a MachineHealthCheck`;
  return {
    state: 'failed',
    conditions: [fails(kvmConditions.vmProvisioned, reason, message), fails(kvmConditions.vmRunning, reason, message)],
    addresses: [],
    outcome: wait({ reason, message }),
  };
}
