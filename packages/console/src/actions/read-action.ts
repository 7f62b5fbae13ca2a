import type { ObjectRef } from '@slipway/insight';
import { Refusal, textIn } from '../http/message.js';
import type { Action } from '../model/action.js';

type Fields = Readonly<Record<string, unknown>>;

/** What came from the page, looked at field by field. */
export function readAction(fields: Fields): Action {
  const of = readRef(fields['of']);
  const action = textIn(fields, 'action');
  switch (action) {
    case 'pause':
    case 'resume':
    case 'delete':
    case 'roll-out':
      return { action, of };
    case 'scale':
      if (typeof fields['replicas'] !== 'number') throw new Refusal(400, 'field replicas is required');
      return { action, of, replicas: fields['replicas'] };
    case 'upgrade':
      return { action, of, version: textIn(fields, 'version') };
    default:
      throw new Refusal(400, `unknown action ${action}`);
  }
}

function readRef(value: unknown): ObjectRef {
  if (typeof value !== 'object' || value === null) throw new Refusal(400, 'field of is required');
  const fields = value as Fields;
  return {
    group: textIn(fields, 'group'),
    kind: textIn(fields, 'kind'),
    namespace: textIn(fields, 'namespace'),
    name: textIn(fields, 'name'),
  };
}
