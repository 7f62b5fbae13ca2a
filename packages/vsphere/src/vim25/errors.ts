import type { Data, ObjectRef } from './schema/index.js';

/** Why nothing useful came back from a server. */
export type ConnectionFailure = 'unreachable' | 'untrusted' | 'timeout' | 'unavailable';

/** The server could not be reached, could not be trusted, or did not answer as a vCenter does. */
export class VimConnectionError extends Error {
  constructor(
    readonly failure: ConnectionFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'VimConnectionError';
  }
}

/** What came back is no answer that this client can read. */
export class VimProtocolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VimProtocolError';
  }
}

/** A call that vCenter refused. The message is vCenter's own, preceded by what was asked. */
export class VimFault extends Error {
  constructor(
    /** The type of the fault, such as `NoPermission`. */
    readonly fault: string,
    /** vCenter's own words. */
    readonly words: string,
    readonly details: Data<'MethodFault'>,
    readonly subject: string,
  ) {
    super(`${subject}: ${sentence(fault, words, details)}`);
    this.name = 'VimFault';
  }
}

/** A task that ended in an error, or was cancelled. */
export class TaskFailed extends VimFault {
  constructor(
    readonly task: ObjectRef,
    fault: string,
    words: string,
    details: Data<'MethodFault'>,
    subject: string,
  ) {
    super(fault, words, details, subject);
    this.name = 'TaskFailed';
  }
}

/** A call of the REST interface that did not succeed. */
export class RestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'RestError';
  }
}

/** Nothing in the inventory answers to that name. */
export class NotFoundInInventory extends Error {
  constructor(
    readonly kind: string,
    readonly wanted: string,
    message = `${kind} '${wanted}' not found`,
  ) {
    super(message);
    this.name = 'NotFoundInInventory';
  }
}

/** More than one object answers to that name. */
export class AmbiguousInInventory extends Error {
  constructor(
    readonly kind: string,
    readonly wanted: string,
    message = `path '${wanted}' resolves to multiple ${kind}s`,
  ) {
    super(message);
    this.name = 'AmbiguousInInventory';
  }
}

export function isFault(error: unknown, ...faults: readonly string[]): error is VimFault {
  return error instanceof VimFault && (faults.length === 0 || faults.includes(error.fault));
}

/** Whether it means that the server cannot be used at all now, whatever was asked of it. */
export function isOutage(error: unknown): error is VimConnectionError | VimFault {
  return error instanceof VimConnectionError || isFault(error, 'InvalidLogin');
}

/** Words that name the fault, what it is about, and what vCenter says of it. */
function sentence(fault: string, words: string, details: Data<'MethodFault'>): string {
  const text = words === '' ? fault : words.includes(fault) ? words : `${words} (${fault})`;
  const reasons = (details.faultMessage ?? []).flatMap(({ message }) =>
    message === undefined || message === '' || text.includes(message) ? [] : [message],
  );
  const { privilegeId } = details as Data<'NoPermission'>;
  if (fault === 'NoPermission' && privilegeId !== undefined && privilegeId !== '') {
    reasons.push(`the privilege ${privilegeId} is missing`);
  }
  return [text, ...reasons].join('; ');
}
