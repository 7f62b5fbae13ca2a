import type { Frozen } from '@slipway/kube';
import { parseSigningRequest, type SigningRequest } from '@slipway/pki';
import type { CertificateSigningRequest } from '@slipway/runtime';
import type { ApproverMachine } from './approver-machine.js';
import { decideClient, isClientRequest } from './client-rule.js';
import { isDecided, isOurs } from './event-filter.js';
import { signers } from './names.js';
import { decideServing, type EgressAddresses, type ServedCertificate } from './serving-rule.js';
import { ignore, type Verdict } from './verdict.js';

/** Inputs of a decision. */
export interface ApprovalFacts {
  readonly machines: readonly ApproverMachine[];
  readonly nodeNames: ReadonlySet<string>;
  /** Whether the configuration disables approval of client certificates. */
  readonly clientFlowDisabled?: boolean;
  /** Current serving certificate of the kubelet, if it was read and verified against the kubelet CA. */
  readonly served?: ServedCertificate | undefined;
  /** Egress addresses of the node. Only set on clusters whose network assigns additional addresses to nodes. */
  readonly egress?: EgressAddresses | undefined;
}

/** Decides whether to approve a request. Pure. */
export function decide(request: Frozen<CertificateSigningRequest>, facts: ApprovalFacts): Verdict {
  if (!isOurs(request)) return ignore('NotOurs', 'the request is not from a kubelet of this cluster');
  if (isDecided(request)) return ignore('AlreadyDecided', 'the request is already approved, denied or failed');
  const parsed = parse(request.spec.request);
  if (parsed === undefined) return ignore('Malformed', 'spec.request is not a PEM-encoded certificate request');
  if (!parsed.signatureValid)
    return ignore('BadSignature', 'the signature does not match the public key of the request');
  // The rule is selected by signer, so that a request cannot pass the rule of another certificate type.
  if (request.spec.signerName === signers.kubeletServing) return decideServing(request, parsed, facts);
  if (!isClientRequest(request, parsed))
    return ignore('WrongContent', 'subject, names or usages do not match a client certificate request of a kubelet');
  return decideClient(request, parsed, facts);
}

function parse(encoded: string): SigningRequest | undefined {
  try {
    return parseSigningRequest(Buffer.from(encoded, 'base64').toString('latin1'));
  } catch {
    // Details of untrusted input are not reported.
    return undefined;
  }
}
