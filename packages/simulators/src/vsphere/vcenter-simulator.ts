import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Clock, type Disposable, type Logger, Scope } from '@slipway/base';
import { Finder, type ObjectRef, SessionPool, type VimSession, waitForTask } from '@slipway/vsphere';

export interface SimulatorOptions {
  /** Path of govmomi's `vcsim`, or its name on the PATH. */
  readonly program: string;
  /** Listen address as `address:port`. */
  readonly listen: string;
  readonly username: string;
  readonly password: string;
  readonly template: string;
  /** First two octets of guest addresses. */
  readonly addresses: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A running vCenter simulator, and the variables for cluster templates. */
export interface VCenterSimulator extends Disposable {
  readonly variables: Readonly<Record<string, string>>;
  /** Whether guests report addresses. Only the simulator that this project builds supports that. */
  readonly hasAddresses: boolean;
  /** Settles when the simulator exits on its own. */
  readonly ended: Promise<unknown>;
  dispose(): Promise<void>;
}

/** The simulator was not found or did not start. */
export class SimulatorError extends Error {}

const place = { datacenter: 'DC0', pool: '/DC0/host/DC0_C0/Resources', source: 'DC0_C0_RP0_VM0' };

/** Runs govmomi's simulator, with a template that machines can be cloned from. */
export async function startVCenterSimulator(options: SimulatorOptions): Promise<VCenterSimulator> {
  const { program, listen, username, password, clock, logger } = options;
  const hasAddresses = (await helpOf(program)).includes('-addresses');
  const scope = new Scope();
  const args = ['-l', listen, '-username', username, '-password', password];
  const child = spawn(program, [...args, ...(hasAddresses ? ['-addresses', options.addresses] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  scope.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  try {
    const server = await addressOf(child, ended);
    const sessions = new SessionPool({ clock, logger });
    await makeSimulatedTemplate(sessions.get({ server, username, password }), options.template);
    await sessions.dispose();
    return { hasAddresses, ended, variables: variablesOf(server, options), dispose: () => scope.dispose() };
  } catch (error) {
    await scope.dispose();
    throw error;
  }
}

/** Returns the output of `-h`, which lists the flags in every version. */
async function helpOf(program: string): Promise<string> {
  const child = spawn(program, ['-h'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  try {
    await once(child, 'close');
  } catch (error) {
    throw new SimulatorError(`${program} cannot be run: ${(error as Error).message}`, { cause: error });
  }
  return text;
}

/**
 * Returns the address that the simulator prints: our build prints JSON, govmomi's own prints a shell line with the URL for govc.
 */
async function addressOf(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-2000)));
  if (child.stdout === null) throw new SimulatorError('the simulator has no output');
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, 'line'), ended.then(() => [''])])) as [string];
  const found = /"server":"([^"]+)"/.exec(line)?.[1] ?? /https?:\/\/(?:[^@\s]*@)?([^/\s]+)/.exec(line)?.[1];
  if (found !== undefined) return found;
  throw new SimulatorError(`the simulator did not start: ${errorOutput.trim() || line || 'it printed no output'}`);
}

/** Adds a snapshot to a VM of the first datacenter, so that the VM can be used as a template. */
export async function makeSimulatedTemplate(session: VimSession, name: string): Promise<void> {
  const finder = new Finder(session.soap, place.datacenter);
  const source = await finder.find('virtualMachine', place.source);
  const folder = await finder.typedFolder('virtualMachine');
  const location = { pool: await finder.find('resourcePool', place.pool) };
  const spec = { location, template: false, powerOn: false };
  const clone = await session.soap.call('CloneVM_Task', source, { folder, name, spec });
  const template = (await waitForTask(session.updates, clone)) as ObjectRef;
  const snapshot = { name: 'base', memory: false, quiesce: false };
  await waitForTask(session.updates, await session.soap.call('CreateSnapshot_Task', template, snapshot));
}

function variablesOf(server: string, options: SimulatorOptions): Readonly<Record<string, string>> {
  return {
    VSPHERE_SERVER: server,
    VSPHERE_USERNAME: options.username,
    VSPHERE_PASSWORD: options.password,
    VSPHERE_TLS_THUMBPRINT: '',
    VSPHERE_DATACENTER: place.datacenter,
    VSPHERE_DATASTORE: 'LocalDS_0',
    VSPHERE_NETWORK: 'DC0_DVPG0',
    VSPHERE_RESOURCE_POOL: place.pool,
    VSPHERE_FOLDER: '',
    VSPHERE_TEMPLATE: options.template,
    VSPHERE_HAPROXY_TEMPLATE: options.template,
    VSPHERE_STORAGE_POLICY: '',
    VSPHERE_SSH_AUTHORIZED_KEY: 'ssh-ed25519 nobody',
    CONTROL_PLANE_ENDPOINT_IP: '127.0.0.1',
    CONTROL_PLANE_ENDPOINT_PORT: '16443',
    CPI_IMAGE_K8S_VERSION: 'v1.35.1',
  };
}
