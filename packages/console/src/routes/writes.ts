import type { Clock, HttpResponse } from '@slipway/base';
import { carryOut } from '../actions/carry-out.js';
import { readAction } from '../actions/read-action.js';
import { jsonResponse, Refusal, textIn } from '../http/message.js';
import type { OutlookDesk } from '../infrastructure/provider-outlooks.js';
import type { Planner } from '../plan/planner.js';
import type { Person } from '../sessions/person.js';

export interface WriteWorld {
  readonly person: Person;
  readonly planner: Planner;
  readonly desk: OutlookDesk | undefined;
  readonly clock: Clock;
  /** False for who may only look. */
  readonly mayAct: boolean;
  readonly signal: AbortSignal;
}

/** What a person asks for by a button. */
export async function answerWrite(
  world: WriteWorld,
  name: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<HttpResponse> {
  const { person, planner, desk, clock, mayAct, signal } = world;
  const { client } = person;
  // To plan and to look for versions changes nothing: who only looks may do it, too.
  if (name === 'plan') return jsonResponse(200, await planner.plan(client, manifestIn(fields), signal));
  if (name === 'provider-versions' && desk !== undefined)
    return jsonResponse(200, { outlooks: await desk.fetch(client, signal) });
  if (!mayAct)
    throw new Refusal(
      403,
      'this console is read-only for clients on other hosts',
      'use the console on the host that it runs on, or start it with --remote-console-actions',
    );
  switch (name) {
    case 'apply':
      return jsonResponse(200, { done: await planner.apply(client, manifestIn(fields), signal) });
    case 'action':
      return jsonResponse(200, { done: await carryOut({ client, nowMs: clock.now() }, readAction(fields)) });
    default:
      throw new Refusal(404, 'not found');
  }
}

function manifestIn(fields: Readonly<Record<string, unknown>>): { readonly text: string; readonly namespace: string } {
  return { text: textIn(fields, 'manifest'), namespace: textIn(fields, 'namespace') };
}
