import { connect } from 'node:net';
import type { Clock } from '@slipway/base';
import { readRecord } from '../local/machine-record.js';
import { QmpClient } from '../qemu/index.js';
import { filesOf, type LauncherFolders, readDocument } from './launcher-folders.js';

/**
 * Returns whether QEMU responds and the machine runs. Uses the second QMP socket, because a socket serves one client at a time.
 */
export async function pingLaunch(folders: LauncherFolders, clock: Clock): Promise<boolean> {
  const files = filesOf(folders, await readDocument(folders));
  const client = await QmpClient.connect({ path: files.secondControl, clock });
  try {
    const { status } = (await client.execute('query-status')) as { status: string };
    return status === 'running';
  } finally {
    client.dispose();
  }
}

const connectTimeoutMs = 3_000;

/** Whether the guest accepts TCP connections on the port. */
export async function reachGuest(folders: LauncherFolders, port: number): Promise<boolean> {
  const document = await readDocument(folders);
  const record = await readRecord(filesOf(folders, document));
  const [first] = record?.qemu.interfaces ?? [];
  if (first?.type === 'user') {
    const forward = first.forwards.find(({ guestPort }) => guestPort === port);
    // Without a forwarded port the guest has no reachable address. In that case a running virtual machine is
    // sufficient.
    return forward === undefined || answers('127.0.0.1', forward.hostPort);
  }
  const address = record?.facts.interfaces.flatMap(({ addresses }) => addresses)[0]?.split('/')[0];
  return address !== undefined && answers(address, port);
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs });
    const give = (result: boolean): void => {
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => give(true));
    socket.once('error', () => give(false));
    socket.once('timeout', () => give(false));
  });
}
