/** Reason why a request is ignored or retried. */
export type RefusalReason =
  // Ignored: this request can never be approved. The client has to send another one.
  | 'NotOurs'
  | 'AlreadyDecided'
  | 'Malformed'
  | 'BadSignature'
  | 'WrongIdentity'
  | 'WrongContent'
  | 'NodeExists'
  | 'MachineHasNode'
  | 'OutsideOfTimeWindow'
  // Retried: missing objects may be created later.
  | 'ClientFlowDisabled'
  | 'NoMachine'
  | 'AmbiguousMachine'
  | 'NamesNotOfMachine';

export type ApprovalPath = 'bootstrap' | 'machine' | 'renewal' | 'egress-ip';
export type RequestFlow = 'client' | 'serving';

/**
 * Decision about a request. Requests are never denied: invalid ones are ignored, so that an administrator can still decide,
 * and those that may become valid are retried.
 */
export type Verdict =
  | { readonly type: 'approve'; readonly flow: RequestFlow; readonly path: ApprovalPath }
  | { readonly type: 'ignore' | 'retry'; readonly reason: RefusalReason; readonly message: string };

export function approve(flow: RequestFlow, path: ApprovalPath): Verdict {
  return { type: 'approve', flow, path };
}

export function ignore(reason: RefusalReason, message: string): Verdict {
  return { type: 'ignore', reason, message };
}

export function tryAgain(reason: RefusalReason, message: string): Verdict {
  return { type: 'retry', reason, message };
}
