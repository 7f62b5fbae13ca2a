import type { Data, ObjectRef } from './schema/index.js';

/** Why a request to a server failed. */
export type ConnectionFailure = 'unreachable' | 'untrusted' | 'timeout' | 'unavailable';

/** The server is unreachable, untrusted, or did not respond like a vCenter. */
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

/** The response cannot be parsed. */
export class VimProtocolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VimProtocolError';
  }
}

/** A fault that vCenter returned. The message is that of vCenter, preceded by the call. */
export class VimFault extends Error {
  constructor(
    /** The type of the fault, such as `NoPermission`. */
    readonly fault: string,
    /** The message of vCenter. */
    readonly vcenterMessage: string,
    readonly details: Data<'MethodFault'>,
    readonly subject: string,
  ) {
    super(`${subject}: ${sentence(fault, vcenterMessage, details)}`);
    this.name = 'VimFault';
  }
}

/** A task that failed or was cancelled. */
export class TaskFailed extends VimFault {
  constructor(
    readonly task: ObjectRef,
    fault: string,
    vcenterMessage: string,
    details: Data<'MethodFault'>,
    subject: string,
  ) {
    super(fault, vcenterMessage, details, subject);
    this.name = 'TaskFailed';
  }
}

/** A REST call that failed. */
export class RestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'RestError';
  }
}

/** No inventory object has this name. */
export class NotFoundInInventory extends Error {
  constructor(
    readonly kind: string,
    readonly nameOrPath: string,
    message = `${kind} '${nameOrPath}' not found`,
  ) {
    super(message);
    this.name = 'NotFoundInInventory';
  }
}

/** Several inventory objects have this name. */
export class AmbiguousInInventory extends Error {
  constructor(
    readonly kind: string,
    readonly nameOrPath: string,
    message = `path '${nameOrPath}' resolves to multiple ${kind}s`,
  ) {
    super(message);
    this.name = 'AmbiguousInInventory';
  }
}

export function isFault(error: unknown, ...faults: readonly string[]): error is VimFault {
  return error instanceof VimFault && (faults.length === 0 || faults.includes(error.fault));
}

/** Returns whether the error means that no request to the server can succeed now. */
export function isOutage(error: unknown): error is VimConnectionError | VimFault {
  return error instanceof VimConnectionError || isFault(error, 'InvalidLogin');
}

/** Returns the message of a fault with its type and details. */
function sentence(fault: string, vcenterMessage: string, details: Data<'MethodFault'>): string {
  const text =
    vcenterMessage === '' ? fault : vcenterMessage.includes(fault) ? vcenterMessage : `${vcenterMessage} (${fault})`;
  const reasons = (details.faultMessage ?? []).flatMap(({ message }) =>
    message === undefined || message === '' || text.includes(message) ? [] : [message],
  );
  const { privilegeId } = details as Data<'NoPermission'>;
  if (fault === 'NoPermission' && privilegeId !== undefined && privilegeId !== '') {
    reasons.push(`the privilege ${privilegeId} is missing`);
  }
  return [text, ...reasons].join('; ');
}
