import type { Clock, HttpResponse } from '@slipway/base';
import { performAction } from '../actions/perform-action.js';
import { readAction } from '../actions/read-action.js';
import { jsonResponse, HttpError, textIn } from '../http/message.js';
import type { OutlookReader } from '../infrastructure/provider-outlooks.js';
import type { Planner } from '../plan/planner.js';
import type { User } from '../sessions/user.js';

export interface WriteContext {
  readonly user: User;
  readonly planner: Planner;
  readonly outlookReader: OutlookReader | undefined;
  readonly clock: Clock;
  /** Whether the client may perform actions. False if the console is read-only for it. */
  readonly mayAct: boolean;
  readonly signal: AbortSignal;
}

/** Handles POST requests of the pages. */
export async function answerWrite(
  context: WriteContext,
  name: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<HttpResponse> {
  const { user, planner, outlookReader, clock, mayAct, signal } = context;
  const { client } = user;
  // Planning and checking for versions write nothing, so they are allowed in a read-only console.
  if (name === 'plan') return jsonResponse(200, await planner.plan(client, manifestIn(fields), signal));
  if (name === 'provider-versions' && outlookReader !== undefined)
    return jsonResponse(200, { outlooks: await outlookReader.fetch(client, signal) });
  if (!mayAct)
    throw new HttpError(
      403,
      'this console is read-only for clients on other hosts',
      'use the console on the host that it runs on, or start it with --remote-console-actions',
    );
  switch (name) {
    case 'apply':
      return jsonResponse(200, { done: await planner.apply(client, manifestIn(fields), signal) });
    case 'action':
      return jsonResponse(200, { done: await performAction({ client, nowMs: clock.now() }, readAction(fields)) });
    default:
      throw new HttpError(404, 'not found');
  }
}

function manifestIn(fields: Readonly<Record<string, unknown>>): { readonly text: string; readonly namespace: string } {
  return { text: textIn(fields, 'manifest'), namespace: textIn(fields, 'namespace') };
}
