import { systemClock } from '@slipway/base';
import { ChangeExecutor, type Client, type Writer } from '@slipway/runtime';

/** Returns a writer for a command, with the change executor that controllers use. */
export function commandWriter(client: Client, signal: AbortSignal): Writer {
  return new ChangeExecutor({ client, clock: systemClock, controller: 'slipway', signal });
}
