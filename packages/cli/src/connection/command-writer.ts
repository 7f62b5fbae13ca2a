import { systemClock } from '@slipway/base';
import { ChangeExecutor, type Client, type Writer } from '@slipway/runtime';

/** Writes on behalf of a command, with the change executor of the controllers. */
export function commandWriter(client: Client, signal: AbortSignal): Writer {
  return new ChangeExecutor({ client, clock: systemClock, controller: 'slipway', signal });
}
