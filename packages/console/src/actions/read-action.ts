import type { ObjectRef } from '@slipway/insight';
import { HttpError, textIn } from '../http/message.js';
import type { Action } from '../model/action.js';

type Fields = Readonly<Record<string, unknown>>;

/** Validates the fields of an action request. */
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
      if (typeof fields['replicas'] !== 'number') throw new HttpError(400, 'field "replicas" is required');
      return { action, of, replicas: fields['replicas'] };
    case 'upgrade':
      return { action, of, version: textIn(fields, 'version') };
    default:
      throw new HttpError(400, `unknown action ${action}`);
  }
}

function readRef(value: unknown): ObjectRef {
  if (typeof value !== 'object' || value === null) throw new HttpError(400, 'field "of" is required');
  const fields = value as Fields;
  return {
    group: textIn(fields, 'group'),
    kind: textIn(fields, 'kind'),
    namespace: textIn(fields, 'namespace'),
    name: textIn(fields, 'name'),
  };
}
