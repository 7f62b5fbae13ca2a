/** Why a request is left alone, or is tried again later. */
export type RefusalReason =
  // Left alone: nothing but another request could change it.
  | 'NotOurs'
  | 'AlreadyDecided'
  | 'Malformed'
  | 'BadSignature'
  | 'WrongIdentity'
  | 'WrongContent'
  | 'NodeExists'
  | 'MachineHasNode'
  | 'OutsideOfTimeWindow'
  // Tried again: what is missing may come.
  | 'ClientFlowDisabled'
  | 'NoMachine'
  | 'AmbiguousMachine'
  | 'NamesNotOfMachine';

export type ApprovalPath = 'bootstrap' | 'machine' | 'renewal' | 'egress-ip';
export type RequestFlow = 'client' | 'serving';

/**
 * What becomes of a request. It is never denied: who asks wrongly is left alone, so that a person may still decide, and what
 * may become right is tried again.
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
